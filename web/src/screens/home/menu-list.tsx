import { Trans } from '@lingui/react/macro';
import { CloudOff, UtensilsCrossed } from 'lucide-react';
import { useMemo } from 'react';
import type { Schema } from '@/api/types';
import { useCart } from '@/entities/cart/queries';
import { linesByProduct } from '@/entities/menu/lines-by-product';
import { useMenu } from '@/entities/menu/queries';
import { Button } from '@/ui/button';
import { classes } from '@/ui/classes';
import { EmptyState } from '@/ui/feedback/empty-state';
import { CategoryBar } from './category-bar';
import { FeaturedGroups } from './featured-groups';
import { GroupSection } from './group-section';
import { MenuSkeleton } from './menu-skeleton';
import { PopularRow } from './popular-row';

/** How many pictures load at once: those of the first two rows of cards. */
const eagerPictures = 4;

/**
 * The menu of the visitor's place: popular products, featured groups, and all groups under their bar; a
 * skeleton while it loads.
 */
export function MenuList() {
  const { data: menu, error, isPlaceholderData, isFetching, refetch } = useMenu();
  if (menu) return <LoadedMenu menu={menu} isOutdated={isPlaceholderData} />;
  if (!error || isFetching) return <MenuSkeleton />;
  return (
    <EmptyState
      icon={CloudOff}
      title={
        <Trans id="home.menu-list.menu-could-not-be-loaded">The menu could not be loaded</Trans>
      }
      action={
        <Button onClick={() => void refetch()}>
          <Trans id="common.try-again">Try again</Trans>
        </Button>
      }
    >
      <Trans id="common.check-network">Check the network and try again.</Trans>
    </EmptyState>
  );
}

/** The menu once it is loaded, or the text that nothing is sold. */
function LoadedMenu({ menu, isOutdated }: { menu: Schema<'Menu'>; isOutdated: boolean }) {
  const groups = menu.product_groups.filter((group) => group.products.length > 0);
  const { lines } = useCart();
  const byProduct = useMemo(() => linesByProduct(lines), [lines]);
  if (groups.length === 0) {
    return (
      <EmptyState
        icon={UtensilsCrossed}
        title={<Trans id="home.menu-list.nothing-sold-here-now">Nothing is sold here now</Trans>}
      >
        <Trans id="home.menu-list.choose-another-shop">
          Choose another shop or another way to order.
        </Trans>
      </EmptyState>
    );
  }
  return (
    <div
      aria-busy={isOutdated}
      className={classes(
        'min-w-0 transition-[filter] duration-(--motion)',
        isOutdated && 'grayscale',
      )}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 pb-4">
        <PopularRow menu={menu} lines={byProduct} />
        <FeaturedGroups groups={groups} />
      </div>
      <CategoryBar groups={groups} />
      {groups.map((group, place) => (
        <GroupSection
          key={group.id}
          group={group}
          lines={byProduct}
          eagerCount={place === 0 ? eagerPictures : 0}
        />
      ))}
    </div>
  );
}

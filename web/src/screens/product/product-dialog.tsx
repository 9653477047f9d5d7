import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { ApiFault } from '@/api/result';
import type { Schema } from '@/api/types';
import { productQuery, useMenu } from '@/entities/menu/queries';
import { toQuery, usePlace } from '@/entities/place/place';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Skeleton } from '@/ui/feedback/skeleton';
import { useModalFrame } from '@/ui/modals/modal-frame';
import type { ModalParams } from '@/ui/modals/modal-names';
import { Sheet } from '@/ui/sheet';
import { ProductSheet } from './product-sheet';

/**
 * The dialog of one dish, which it finds in the menu or loads from the server; a skeleton while it loads, or why
 * it cannot be shown.
 */
export default function ProductDialog({ productKey }: ModalParams['product']) {
  const { data: menu, isError, refetch } = useMenu();
  const onMenu = useMemo(() => menu && findProduct(menu, productKey), [menu, productKey]);
  // Products that are sold only with other dishes are not in the menu.
  const addition = useQuery({
    ...productQuery(toQuery(usePlace()), productKey),
    enabled: menu !== undefined && onMenu === undefined,
  });
  const product = onMenu ?? addition.data;
  if (product) return <ProductSheet key={product.key} product={product} />;
  if (isNotFound(addition.error)) return <NotSold />;
  if (isError || addition.isError) {
    const retry = menu ? addition.refetch : refetch;
    return <NotLoaded onRetry={() => void retry()} />;
  }
  return <Waiting />;
}

/** Reports whether an error is the server's answer that there is no such product. */
const isNotFound = (error: Error | null) =>
  error instanceof ApiFault && error.failure.kind === 'notFound';

/** Returns the menu's product whose key or alias is `name`; a key goes before an alias. */
function findProduct(menu: Schema<'Menu'>, name: string): Schema<'Product'> | undefined {
  const products = menu.product_groups.flatMap((group) => group.products);
  return (
    products.find((product) => product.key === name) ??
    products.find((product) => product.alias === name)
  );
}

/** The sheet while the product loads. */
function Waiting() {
  const { t } = useLingui();
  return (
    <Sheet
      title={t({ id: 'product.loading-dish', message: 'Loading the dish' })}
      hideTitle
      size="large"
      pane={<Skeleton shape="card" />}
    >
      <div aria-busy="true" className="flex flex-col gap-4 pt-4">
        <Skeleton shape="title" />
        <Skeleton shape="line" count={3} />
        <Skeleton shape="button" />
      </div>
    </Sheet>
  );
}

/** The sheet that the product is not sold at the chosen place. */
function NotSold() {
  const { t } = useLingui();
  const { close } = useModalFrame();
  return (
    <Sheet
      title={t({ id: 'product.dish-not-on-menu', message: 'This dish is not on the menu' })}
      hideTitle
      size="small"
    >
      <EmptyState
        icon={SearchX}
        title={t({ id: 'product.dish-not-on-menu', message: 'This dish is not on the menu' })}
        action={
          <Button onClick={close}>
            <Trans id="product.see-menu">See the menu</Trans>
          </Button>
        }
      >
        <Trans id="product.not-sold-here">
          This is not sold at the place you have chosen. There is more on the menu.
        </Trans>
      </EmptyState>
    </Sheet>
  );
}

/** The sheet that the product could not be loaded, with a button that loads it again. */
function NotLoaded({ onRetry }: { onRetry: () => void }) {
  const { t } = useLingui();
  return (
    <Sheet
      title={t({ id: 'product.dish-did-not-load', message: 'The dish did not load' })}
      hideTitle
      size="small"
    >
      <EmptyState
        icon={SearchX}
        title={t({ id: 'product.dish-did-not-load', message: 'The dish did not load' })}
        action={
          <Button onClick={onRetry}>
            <Trans id="common.try-again">Try again</Trans>
          </Button>
        }
      >
        <Trans id="product.check-connection">Check the connection.</Trans>
      </EmptyState>
    </Sheet>
  );
}

import { Trans } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { groupElementId, scrollToGroup } from '@/entities/menu/use-group-in-view';
import { useSite } from '@/entities/site/context';
import { Picture } from '@/ui/picture';

/** At most this many groups are featured. */
const maxFeatured = 3;

/** The featured groups of the menu as large links, on desktop and only for brands whose settings have them. */
export function FeaturedGroups({ groups }: { groups: readonly Schema<'ProductGroup'>[] }) {
  const { show_popular_product_groups: isShown } = useSite();
  const featured = groups.filter((group) => group.show_on_main).slice(0, maxFeatured);
  if (!isShown || featured.length === 0) return null;
  return (
    <section aria-labelledby="featured" className="hidden desktop:block">
      <h2 id="featured" className="sr-only">
        <Trans id="home.featured-groups.featured">Featured</Trans>
      </h2>
      <ul className="grid grid-cols-3 gap-4">
        {featured.map((group) => (
          <li key={group.id}>
            <a
              href={`#${groupElementId(group.alias)}`}
              onClick={(event) => {
                event.preventDefault();
                scrollToGroup(group.alias);
              }}
              className="flex h-28 items-center justify-between gap-3 overflow-hidden rounded-card bg-tint ps-5 pe-3 text-on-tint hover:brightness-97"
            >
              <span lang={group.lang} className="title text-lead">
                {group.name}
              </span>
              <Picture
                picture={group.images.big ?? group.images.small ?? firstPicture(group)}
                alt=""
                shape="thumb-large"
              />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns the first picture among the group's products. */
const firstPicture = (group: Schema<'ProductGroup'>) =>
  group.products.find((product) => product.images.small)?.images.small;

import type { Schema } from '@/api/types';
import type { ShownLine } from '@/entities/cart/changes';
import { groupElementId } from '@/entities/menu/use-group-in-view';
import { GroupIcon } from './group-icon';
import { ProductTile } from './product-tile';
import { useKeptHeights } from './tile-heights';

interface GroupSectionProps {
  group: Schema<'ProductGroup'>;
  /** The lines of the cart by product. */
  lines: ReadonlyMap<string, readonly ShownLine[]>;
  /** How many of its first pictures load at once because they are in view when the page opens. */
  eagerCount: number;
}

/**
 * A group of the menu with its products: a list of rows on phones, two columns of them on tablets, a grid of cards
 * on desktop.
 */
export function GroupSection({ group, lines, eagerCount }: GroupSectionProps) {
  const list = useKeptHeights(group.products);
  const headingId = `${groupElementId(group.alias)}-name`;
  return (
    <section
      id={groupElementId(group.alias)}
      aria-labelledby={headingId}
      className="pt-5 desktop:scroll-mt-5"
    >
      <h2
        id={headingId}
        lang={group.lang}
        className="title flex items-center gap-2 px-4 pb-2 text-title desktop:px-0 desktop:pb-4"
      >
        <GroupIcon group={group} size="large" />
        {group.name}
      </h2>
      <ul
        ref={list}
        className="divide-y divide-line tablet:grid tablet:grid-cols-2 desktop:grid-cols-3 desktop:gap-4 desktop:divide-none wide:grid-cols-4"
      >
        {group.products.map((product, place) => (
          <li key={product.key} className="max-desktop:@container drawn-near">
            <ProductTile
              product={product}
              lines={lines.get(product.key)}
              eager={place < eagerCount}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

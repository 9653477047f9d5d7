import { Trans, useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { AllergenWarning } from '@/entities/allergens/allergen-warning';
import { useAvoidedIn } from '@/entities/allergens/avoided';
import type { ShownLine } from '@/entities/cart/changes';
import { ProductControl } from '@/entities/menu/product-control';
import { productsByKey } from '@/entities/menu/queries';
import { openModal } from '@/ui/modals/modal-store';
import { Picture } from '@/ui/picture';
import { ScrollRow } from '@/ui/scroll-row';

interface PopularRowProps {
  menu: Schema<'Menu'>;
  /** The lines of the cart, by the key of their product. */
  lines: ReadonlyMap<string, readonly ShownLine[]>;
}

/** The products that the city orders most, in small cards; nothing when the menu names none. */
export function PopularRow({ menu, lines }: PopularRowProps) {
  const { t } = useLingui();
  const byKey = productsByKey(menu);
  const products = menu.popular_products
    .map((key) => byKey.get(key))
    .filter((product) => product !== undefined)
    .filter((product) => product.type === 'default');
  if (products.length === 0) return null;
  return (
    <div>
      <h2 className="title px-4 pb-2 text-title desktop:px-0">
        <Trans id="common.often-ordered">Often ordered</Trans>
      </h2>
      <ScrollRow label={t({ id: 'common.often-ordered', message: 'Often ordered' })}>
        {products.map((product) => (
          <PopularCard key={product.key} product={product} lines={lines.get(product.key)} />
        ))}
      </ScrollRow>
    </div>
  );
}

interface PopularCardProps {
  product: Schema<'Product'>;
  lines?: readonly ShownLine[];
}

/** A small card of a product. All of it opens the product, the price button puts it into the cart. */
function PopularCard({ product, lines }: PopularCardProps) {
  const isAvoided = useAvoidedIn(product.allergens).length > 0;
  return (
    <article className="relative flex h-full flex-col gap-1 rounded-card bg-surface p-2">
      <div className="relative">
        <div className={isAvoided ? 'opacity-55 grayscale' : undefined}>
          <Picture picture={product.images.small} alt="" shape="small-card" />
        </div>
        {/* Over the picture, so that the row keeps its height when the choice is known. */}
        {isAvoided && (
          <span className="absolute inset-x-1 inset-be-1 rounded-chip bg-warn-tint px-1.5 py-0.5">
            <AllergenWarning allergens={product.allergens} />
          </span>
        )}
      </div>
      <h3 className="min-h-9 text-note">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => openModal('product', { productKey: product.key })}
          lang={product.lang}
          className="line-clamp-2 text-start after:absolute after:inset-0 after:rounded-card"
        >
          {product.name}
        </button>
      </h3>
      <div className="relative">
        <ProductControl product={product} lines={lines} />
      </div>
    </article>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { openModal } from '@/ui/modals/modal-store';
import { Picture } from '@/ui/picture';
import { Price } from '@/ui/price';
import { ScrollRow } from '@/ui/scroll-row';
import { productsByKey } from './queries';

/** What the city orders most, in small cards; nothing when the menu names none. */
export function PopularRow({ menu }: { menu: Schema<'Menu'> }) {
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
        <Trans>Often ordered</Trans>
      </h2>
      <ScrollRow label={t`Often ordered`}>
        {products.map((product) => (
          <PopularCard key={product.key} product={product} />
        ))}
      </ScrollRow>
    </div>
  );
}

function PopularCard({ product }: { product: Schema<'Product'> }) {
  return (
    <article className="relative flex h-full flex-col gap-1 rounded-card bg-surface p-2">
      <Picture picture={product.images.small} alt="" shape="small-card" />
      <h3 className="text-note">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => openModal('product', { productKey: product.key })}
          className="line-clamp-2 text-start after:absolute after:inset-0 after:rounded-card"
        >
          {product.name}
        </button>
      </h3>
      <p className="mt-auto">
        <Price amount={product.price} size="small" />
      </p>
    </article>
  );
}

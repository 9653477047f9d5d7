import { memo } from 'react';
import type { Schema } from '@/api/types';
import { useAvoidedIn } from '@/entities/allergens/avoided';
import type { ShownLine } from '@/entities/cart/changes';
import { isUnavailable, ProductControl } from '@/entities/menu/product-control';
import { Accents, Allergens, Portion } from '@/entities/menu/product-facts';
import { classes } from '@/ui/classes';
import { openModal } from '@/ui/modals/modal-store';
import { Picture } from '@/ui/picture';

interface ProductTileProps {
  product: Schema<'Product'>;
  /** The product's lines in the cart. */
  lines?: readonly ShownLine[];
  /** Whether it is in the first view: its picture is then asked for at once. */
  eager?: boolean;
}

/**
 * A product in a list: a row with the picture at the end on phones, a card with the picture on top
 * on desktop and where large letters leave a row too narrow. All of it opens the product, the price button puts it
 * into the cart.
 */
export const ProductTile = memo(function ProductTile({ product, lines, eager }: ProductTileProps) {
  const isAvoided = useAvoidedIn(product.allergens).length > 0;
  const isGrey = isAvoided || isUnavailable(product);
  return (
    <article
      className={classes(
        'group/tile relative grid h-full grid-cols-[minmax(0,1fr)_auto] grid-rows-[1fr_auto] gap-x-4 gap-y-2',
        '@max-[18em]:block @max-[18em]:space-y-2 px-4 py-3 desktop:grid-cols-1 desktop:grid-rows-[auto_1fr_auto] desktop:gap-y-3 desktop:rounded-card desktop:bg-surface desktop:p-4',
        'desktop:transition-shadow desktop:duration-(--motion) desktop:hover:shadow-high',
      )}
    >
      <div className="relative col-start-2 row-span-2 row-start-1 desktop:col-start-1 desktop:row-span-1">
        <div className={isGrey ? 'opacity-55 grayscale' : undefined}>
          <Picture picture={product.images.small} alt="" shape="tile" eager={eager} />
        </div>
        <span className="absolute inset-bs-1 inset-s-1 flex flex-wrap gap-1">
          <Accents product={product} />
        </span>
      </div>
      <div className="min-w-0 desktop:row-start-2">
        <h3 className="strong text-body">
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => openModal('product', { productKey: product.key })}
            lang={product.lang}
            className="text-start after:absolute after:inset-0 after:rounded-card"
          >
            {product.name}
          </button>
        </h3>
        <p
          lang={product.composition ? product.composition_lang : product.description_lang}
          className="mt-0.5 line-clamp-2 text-note text-ink-soft"
        >
          {product.composition || product.description}
        </p>
        <p className="mt-1 text-note text-ink-soft">
          <Portion product={product} />
        </p>
        <Allergens product={product} />
      </div>
      <div className="relative self-end desktop:row-start-3">
        <ProductControl product={product} lines={lines} />
      </div>
    </article>
  );
});

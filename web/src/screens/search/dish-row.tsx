import { AllergenWarning } from '@/entities/allergens/allergen-warning';
import { useAvoidedIn } from '@/entities/allergens/avoided';
import type { ShownLine } from '@/entities/cart/changes';
import { isUnavailable, ProductControl } from '@/entities/menu/product-control';
import { fold } from '@/lib/fold';
import { classes } from '@/ui/classes';
import { openModal } from '@/ui/modals/modal-store';
import { Picture } from '@/ui/picture';
import type { Found } from './dish-index';
import { piecesOf } from './fold';
import { Marked } from './marked';

interface DishRowProps {
  found: Found;
  /** The dish's lines in the cart. */
  lines?: readonly ShownLine[];
  /** Called with the dish's key before its page opens. */
  onOpen: (key: string) => void;
}

/**
 * A found dish with its picture, its name and group with the matched words marked, and the price button or
 * counter.
 */
export function DishRow({ found, lines, onOpen }: DishRowProps) {
  const { product, group, words } = found;
  const isAvoided = useAvoidedIn(product.allergens).length > 0;
  const { key, name, composition, images, allergens } = product;
  const open = () => {
    onOpen(key);
    openModal('product', { productKey: key });
  };
  const isInComposition = piecesOf(composition).some((piece) => words.has(fold(piece)));
  return (
    <article className="relative flex flex-wrap gap-3 py-3">
      <span className={classes((isUnavailable(product) || isAvoided) && 'opacity-55 grayscale')}>
        <Picture picture={images.small} alt="" shape="thumb" />
      </span>
      <div className="flex min-w-0 grow basis-36 flex-col gap-2 desktop:flex-row desktop:items-center">
        <div className="min-w-0 flex-1">
          <h3 className="strong text-body">
            <button
              type="button"
              data-dish={key}
              aria-haspopup="dialog"
              onClick={open}
              lang={product.lang}
              className="text-start after:absolute after:inset-0 after:rounded-card"
            >
              <Marked text={name} words={words} />
            </button>
          </h3>
          <p lang={group.lang} className="text-note text-ink-soft">
            <Marked text={group.name} words={words} />
          </p>
          {isInComposition && (
            <p lang={product.composition_lang} className="line-clamp-2 text-note text-ink-soft">
              <Marked text={composition} words={words} />
            </p>
          )}
          <AllergenWarning allergens={allergens} />
        </div>
        <div className="relative shrink-0">
          <ProductControl product={product} lines={lines} />
        </div>
      </div>
    </article>
  );
}

import { useLingui } from '@lingui/react/macro';
import { Trash2 } from 'lucide-react';
import { useRef } from 'react';
import type { Schema } from '@/api/types';
import { AllergenWarning } from '@/entities/allergens/allergen-warning';
import type { ShownLine } from '@/entities/cart/changes';
import { useChangeCart } from '@/entities/cart/queries';
import { isSold } from '@/entities/cart/rules';
import { useProduct } from '@/entities/menu/queries';
import { Button } from '@/ui/button';
import { classes } from '@/ui/classes';
import { Notice } from '@/ui/feedback/notice';
import { Skeleton } from '@/ui/feedback/skeleton';
import { Counter } from '@/ui/fields/counter';
import { IconButton } from '@/ui/icon-button';
import { openModal } from '@/ui/modals/modal-store';
import { Picture } from '@/ui/picture';
import { Price } from '@/ui/price';
import { leaveLine, removeButtonMark } from './cart-focus';
import { useRemoveLine } from './use-remove-line';

interface CartLineProps {
  shown: ShownLine;
  /** The `max` of its counter. */
  max: number;
  /** Whether another line has the same dish: the names of the buttons then include what was chosen with it. */
  isAlike: boolean;
}

/**
 * A line of the cart with its counter, or a notice when it is not available. Its sum is dimmed until the server
 * has confirmed the count.
 */
export function CartLine({ shown, max, isAlike }: CartLineProps) {
  const { t } = useLingui();
  const { setCount } = useChangeCart();
  const removeLine = useRemoveLine();
  const product = useProduct(shown.productKey);
  const { key, productKey, count, line, isPending } = shown;
  const dish = line?.name ?? product?.name ?? '';
  const name = isAlike && line ? [dish, ...modifierWords(line.modifiers)].join(', ') : dish;
  const step = line?.sale_multiplicity ?? product?.sale_multiplicity ?? 1;
  const place = useRef<HTMLLIElement>(null);
  const remove = () => {
    if (place.current) leaveLine(place.current);
    removeLine(shown, dish);
  };
  return (
    <li ref={place} className="flex flex-wrap gap-3 py-3">
      <button
        type="button"
        aria-label={t({ id: 'common.about', message: `About ${name}` })}
        onClick={() => openModal('product', { productKey, lineKey: line?.key })}
        className="self-start rounded-plate"
      >
        <Picture picture={(line ?? product)?.images.small} alt="" shape="thumb" />
      </button>
      <div className="min-w-0 grow basis-36">
        <div className="flex items-start gap-1">
          <div className="min-w-0 flex-1 pt-0.5">
            <p lang={(line ?? product)?.lang} className="strong">
              {dish}
            </p>
            {line && <Modifiers modifiers={line.modifiers} />}
            {line && <AllergenWarning allergens={line.allergens} />}
          </div>
          <IconButton
            {...removeButtonMark}
            icon={Trash2}
            label={t({ id: 'checkout.cart.remove', message: `Remove: ${name}` })}
            onClick={remove}
          />
        </div>
        {line && !isSold(line) ? (
          <UnavailableNotice line={line} name={name} onRemove={remove} />
        ) : (
          <div className="mt-1 flex flex-wrap items-center justify-between gap-2">
            <Counter
              name={name}
              count={count}
              step={step}
              max={max}
              onChange={(next) => (next > 0 ? setCount(key, next) : remove())}
            />
            <span className={classes('min-w-16 text-end', isPending && 'outdated')}>
              {line ? <Price amount={line.total} /> : <Skeleton shape="line" />}
            </span>
          </div>
        )}
      </div>
    </li>
  );
}

/** Returns the names of the modifiers of a line, with their counts. */
const modifierWords = (modifiers: readonly Schema<'CartModifier'>[]) =>
  modifiers.map(({ name, count }) => (count > 1 ? `${name} × ${count}` : name));

/** The modifiers of a line; nothing when there are none. */
function Modifiers({ modifiers }: { modifiers: readonly Schema<'CartModifier'>[] }) {
  if (modifiers.length === 0) return null;
  return (
    <p lang={modifiers[0]?.lang} className="text-note text-ink-soft">
      {modifierWords(modifiers).join(', ')}
    </p>
  );
}

/** The notice why a line is not available now, with a button that removes it. */
function UnavailableNotice({
  line,
  name,
  onRemove,
}: {
  line: Schema<'CartProduct'>;
  /** The name of the line for its button. */
  name: string;
  onRemove: () => void;
}) {
  const { t } = useLingui();
  return (
    <div className="mt-1">
      <Notice
        tone="warn"
        action={
          <Button
            look="secondary"
            size="small"
            {...removeButtonMark}
            aria-label={t({ id: 'checkout.cart.remove', message: `Remove: ${name}` })}
            onClick={onRemove}
          >
            {t({ id: 'checkout.remove', message: 'Remove' })}
          </Button>
        }
      >
        {line.alert ||
          (line.type === 'stop'
            ? t({ id: 'checkout.cart.not-available-now', message: 'Not available now.' })
            : t({
                id: 'checkout.cart.not-sold-at-chosen-place',
                message: 'Not sold at the chosen place.',
              }))}
      </Notice>
    </div>
  );
}

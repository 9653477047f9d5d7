import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import type { Schema } from '@/api/types';
import { AllergenWarning } from '@/entities/allergens/allergen-warning';
import { type ShownLine, sumCounts } from '@/entities/cart/changes';
import { counterMax } from '@/entities/cart/counter-max';
import { useChangeCart } from '@/entities/cart/queries';
import { Button } from '@/ui/button';
import { Counter } from '@/ui/fields/counter';
import { useModalFrame } from '@/ui/modals/modal-frame';
import { useMoney } from '@/ui/money';
import { allergensOf, type Choice, findMissingChoices, previewPrice, toModifiers } from './rules';

interface AddBarProps {
  product: Schema<'Product'>;
  choice: Choice;
  /** The dish's lines in the cart. */
  lines: readonly ShownLine[];
}

/**
 * The counter and the button that adds the dish, with its price, or with the choice that is missing. For a dish
 * without modifiers that is in the cart, only the counter of its line.
 */
export function AddBar({ product, choice, lines }: AddBarProps) {
  const { t } = useLingui();
  const money = useMoney();
  const { close } = useModalFrame();
  const { add, setCount } = useChangeCart();
  const { key, name, sale_multiplicity: step } = product;
  const [chosen, setPortions] = useState(step);
  // The last hour may have begun since, in which some dishes are sold in twos.
  const portions = Math.ceil(chosen / step) * step;
  const reasonId = useId();
  // A dish without modifiers has one line at most.
  const [only] = lines;
  if (!product.modifiers.available && only) {
    return (
      <div className="flex flex-col gap-2">
        <AllergenWarning allergens={product.allergens} />
        <div className="flex items-center justify-between gap-3">
          <span className="strong">
            <Trans id="product.in-cart">In the cart</Trans>
          </span>
          <Counter
            name={name}
            count={only.count}
            step={step}
            max={counterMax}
            onChange={(next) => setCount(only.key, next)}
          />
        </div>
      </div>
    );
  }
  const [lack] = findMissingChoices(product, choice);
  const maxPortions = counterMax - sumCounts(lines);
  const addAndClose = () => {
    add(key, portions, toModifiers(product, choice));
    close();
  };
  return (
    <div className="flex flex-col gap-2">
      <AllergenWarning allergens={allergensOf(product, choice)} />
      {lack && (
        <p id={reasonId} className="text-note" aria-live="polite">
          {lack.isBegun
            ? t({
                id: 'product.add-bar.choose-more',
                message: `Choose ${lack.missing} more: ${lack.name}`,
              })
            : t({ id: 'product.add-bar.choose', message: `Choose: ${lack.name}` })}
        </p>
      )}
      {/* On the narrowest phones the button stands below the counter, as wide as the sheet. */}
      <div className="flex flex-wrap gap-3">
        <Counter
          name={name}
          count={portions}
          step={step}
          min={step}
          max={maxPortions}
          onChange={setPortions}
        />
        <span className="min-w-0 grow">
          <Button
            size="large"
            wide
            disabled={lack !== undefined || portions > maxPortions}
            aria-describedby={lack && reasonId}
            price={money(previewPrice(product, choice, portions))}
            onClick={addAndClose}
          >
            <Trans id="product.add-bar.add">Add</Trans>
          </Button>
        </span>
      </div>
    </div>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import type { Schema } from '@/api/types';
import { AllergenWarning } from '@/entities/allergens/allergen-warning';
import { useAvoidedIn } from '@/entities/allergens/avoided';
import { classes } from '@/ui/classes';
import { Checkbox } from '@/ui/fields/checkbox';
import { Counter } from '@/ui/fields/counter';
import { useMoney } from '@/ui/money';
import { VisuallyHidden } from '@/ui/visually-hidden';

type Modifier = Schema<'Modifier'>;

interface ModifierRowProps {
  modifier: Modifier;
  count: number;
  /** The largest count that can be chosen now. */
  most: number;
  /** Whether it is free within the choice of its group. */
  included?: boolean;
  onCount: (count: number) => void;
}

/** A modifier with a checkbox, or with a counter where more than one of it can be chosen. */
export function ModifierRow({ modifier, count, most, included, onCount }: ModifierRowProps) {
  const isAvoided = useAvoidedIn(modifier.allergens).length > 0;
  const { name, min, max, type } = modifier;
  const isStopped = type === 'stop';
  const priceId = useId();
  if (max > 1 && !isStopped) {
    return (
      <div className="flex min-h-12 flex-wrap items-center justify-end gap-x-3 py-1">
        <span className={classes('min-w-0 grow basis-16', isAvoided && 'text-ink-soft')}>
          <span lang={modifier.lang}>{name}</span>
          <span className="block text-note text-ink-soft">
            <ModifierNote modifier={modifier} />
          </span>
        </span>
        <span className="relative flex max-w-full shrink-0 flex-wrap items-center justify-end gap-x-3">
          <ModifierPrice price={modifier.price} included={included} />
          <Counter name={name} count={count} min={min} max={most} onChange={onCount} />
        </span>
      </div>
    );
  }
  const isLocked = isStopped || min === max || (count === 0 && most === 0);
  return (
    <div className="flex flex-wrap items-start justify-end gap-x-3">
      <span className="min-w-0 grow basis-24">
        <Checkbox
          label={
            <span lang={modifier.lang} className={classes(isAvoided && 'text-ink-soft')}>
              {name}
            </span>
          }
          note={<ModifierNote modifier={modifier} />}
          checked={count > 0}
          disabled={isLocked}
          aria-describedby={priceId}
          onChange={(event) => onCount(event.target.checked ? 1 : 0)}
        />
      </span>
      <span id={priceId} className="relative pt-2">
        <ModifierPrice price={modifier.price} included={included} />
      </span>
    </div>
  );
}

/**
 * The price that a modifier adds, or words that it is included or costs nothing. Never only "free": beside
 * allergens that says the opposite, "gluten free". For listeners a full stop separates the price from what follows.
 */
export function ModifierPrice({ price, included }: { price: number; included?: boolean }) {
  const { t } = useLingui();
  const money = useMoney();
  const words = included
    ? t({ id: 'product.modifier-row.included', message: 'included' })
    : t({ id: 'product.modifier-row.no-extra-charge', message: 'no extra charge' });
  const text = price > 0 && !included ? `+${money(price)}` : words;
  return (
    <>
      <span aria-hidden="true" className="numeral block text-end text-ink-soft">
        {text}
      </span>
      <VisuallyHidden>{`${text}.`}</VisuallyHidden>
    </>
  );
}

/** A note that a modifier is not available, or its allergens, as a warning when the visitor avoids one of them. */
export function ModifierNote({ modifier: { type, allergens } }: { modifier: Modifier }) {
  const isAvoided = useAvoidedIn(allergens).length > 0;
  if (type === 'stop')
    return <Trans id="product.modifier-row.not-available-now">Not available now</Trans>;
  if (isAvoided) return <AllergenWarning allergens={allergens} />;
  if (allergens.length === 0) return null;
  const names = allergens.map((allergen) => allergen.name).join(', ');
  return <Trans id="common.allergens">Allergens: {names}</Trans>;
}

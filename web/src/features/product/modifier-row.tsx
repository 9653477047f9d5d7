import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { Checkbox } from '@/ui/checkbox';
import { Counter } from '@/ui/counter';
import { useMoney } from '@/ui/money';

type Modifier = Schema<'Modifier'>;

interface ModifierRowProps {
  modifier: Modifier;
  count: number;
  /** The largest count that can be chosen now. */
  most: number;
  onCount: (count: number) => void;
}

/** A modifier to tick, or to count where more than one of it can be had. */
export function ModifierRow({ modifier, count, most, onCount }: ModifierRowProps) {
  const note = useModifierNote(modifier);
  const { name, min, max, type } = modifier;
  const isStopped = type === 'stop';
  if (max > 1 && !isStopped) {
    return (
      <div className="flex min-h-12 items-center justify-between gap-3 py-1">
        <span className="min-w-0">
          {name}
          <span className="block text-note text-ink-soft">{note}</span>
        </span>
        <span className="flex shrink-0 items-center gap-3">
          <ModifierPrice price={modifier.price} />
          <Counter name={name} count={count} min={min} max={most} onChange={onCount} />
        </span>
      </div>
    );
  }
  const isLocked = isStopped || min === max || (count === 0 && most === 0);
  return (
    <div className="flex items-start justify-between gap-3">
      <Checkbox
        label={name}
        note={note}
        checked={count > 0}
        disabled={isLocked}
        onChange={(event) => onCount(event.target.checked ? 1 : 0)}
      />
      <span className="pt-2">
        <ModifierPrice price={modifier.price} />
      </span>
    </div>
  );
}

/** What a modifier adds to the price. */
export function ModifierPrice({ price }: { price: number }) {
  const { t } = useLingui();
  const money = useMoney();
  return (
    <span className="numeral whitespace-nowrap text-ink-soft">
      {price > 0 ? `+${money(price)}` : t`free`}
    </span>
  );
}

/** Why a modifier cannot be had, or what is in it that some must avoid. */
export function useModifierNote({ type, allergens }: Modifier): string | undefined {
  const { t } = useLingui();
  if (type === 'stop') return t`Not available now`;
  if (allergens.length === 0) return undefined;
  const names = allergens.map((allergen) => allergen.name).join(', ');
  return t`Allergens: ${names}`;
}

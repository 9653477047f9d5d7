import { Trans } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { ModifierRow } from './modifier-row';
import { type Choice, choiceKey } from './rules';

interface SingleModifiersProps {
  modifiers: readonly Schema<'Modifier'>[];
  choice: Choice;
  onCount: (modifier: Schema<'Modifier'>, count: number) => void;
}

/** The modifiers of a product that belong to no group; nothing when there are none. */
export function SingleModifiers({ modifiers, choice, onCount }: SingleModifiersProps) {
  if (modifiers.length === 0) return null;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-lead strong">
        <Trans id="product.single-modifiers.add-to-taste">Add to taste</Trans>
      </legend>
      {modifiers.map((modifier) => (
        <ModifierRow
          key={modifier.id}
          modifier={modifier}
          count={choice[choiceKey(modifier.id)] ?? 0}
          most={modifier.max}
          onCount={(count) => onCount(modifier, count)}
        />
      ))}
    </fieldset>
  );
}

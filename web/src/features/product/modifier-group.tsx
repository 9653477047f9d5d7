import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { RadioGroup } from '@/ui/radio-group';
import { ModifierPrice, ModifierRow, useModifierNote } from './modifier-row';
import { type Choice, choiceKey, isSingleChoice, modifiersOf, mostOf } from './rules';

type Group = Schema<'ModifierGroup'>;
type Modifier = Schema<'Modifier'>;

interface ModifierGroupProps {
  group: Group;
  choice: Choice;
  onCount: (modifier: Modifier, count: number) => void;
}

/** A group of modifiers with its rule in words. Where one replaces another it is a choice of one. */
export function ModifierGroup(props: ModifierGroupProps) {
  const { group, choice, onCount } = props;
  const rule = useRule(group);
  if (isSingleChoice(group)) return <OneOf {...props} />;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1">
        <Legend name={group.name} rule={rule} />
      </legend>
      {modifiersOf(group).map((modifier) => (
        <ModifierRow
          key={modifier.id}
          modifier={modifier}
          count={choice[choiceKey(modifier.id, group.id)] ?? 0}
          most={mostOf(modifier, group, choice)}
          onCount={(count) => onCount(modifier, count)}
        />
      ))}
    </fieldset>
  );
}

/** The id that stands for taking none of an optional choice. */
const none = 0;

function OneOf({ group, choice, onCount }: ModifierGroupProps) {
  const { t } = useLingui();
  const rule = useRule(group);
  const modifiers = modifiersOf(group);
  const chosen = modifiers.find(({ id }) => choice[choiceKey(id, group.id)]);
  const isOptional = group.min === 0;
  const options = modifiers.map((modifier) => ({
    value: modifier.id,
    label: modifier.name,
    note: <ModifierNote modifier={modifier} />,
    end: <ModifierPrice price={modifier.price} />,
    disabled: modifier.type === 'stop',
  }));
  const change = (id: number) => {
    const modifier = modifiers.find((other) => other.id === id);
    if (modifier) onCount(modifier, 1);
    else if (chosen) onCount(chosen, 0);
  };
  return (
    <RadioGroup
      legend={<Legend name={group.name} rule={rule} />}
      options={isOptional ? [{ value: none, label: t`Not needed` }, ...options] : options}
      value={chosen?.id ?? (isOptional ? none : undefined)}
      onChange={change}
    />
  );
}

function ModifierNote({ modifier }: { modifier: Modifier }) {
  return useModifierNote(modifier) ?? null;
}

const Legend = ({ name, rule }: { name: string; rule: string }) => (
  <>
    <span className="block text-lead strong">{name}</span>
    <span className="block text-note font-normal text-ink-soft">{rule}</span>
  </>
);

/** How many may be chosen, in words. */
function useRule(group: Group): string {
  const { t } = useLingui();
  const { min, max } = group;
  const total = Object.keys(group.modifiers).length;
  if (max === 1) return min === 1 ? t`Choose one` : t`Choose one or nothing`;
  if (min === max) return t`Choose ${min} of ${total}`;
  return min === 0 ? t`Choose up to ${max}` : t`Choose from ${min} to ${max}`;
}

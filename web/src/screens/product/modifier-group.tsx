import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { avoidedIn, useAvoided } from '@/entities/allergens/avoided';
import { RadioGroup } from '@/ui/fields/radio-group';
import { ModifierNote, ModifierPrice, ModifierRow } from './modifier-row';
import {
  type Choice,
  choiceKey,
  isIncluded,
  isSingleChoice,
  maxCountOf,
  modifiersOf,
} from './rules';

type Group = Schema<'ModifierGroup'>;
type Modifier = Schema<'Modifier'>;

interface ModifierGroupProps {
  group: Group;
  choice: Choice;
  onCount: (modifier: Modifier, count: number) => void;
}

/** A group of modifiers with its rule in words: radio buttons if only one can be chosen, else a row for each. */
export function ModifierGroup(props: ModifierGroupProps) {
  const { group, choice, onCount } = props;
  if (isSingleChoice(group)) return <SingleChoiceGroup {...props} />;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1">
        <Legend group={group} choice={choice} />
      </legend>
      {modifiersOf(group).map((modifier) => (
        <ModifierRow
          key={modifier.id}
          modifier={modifier}
          count={choice[choiceKey(modifier.id, group.id)] ?? 0}
          most={maxCountOf(modifier, group, choice)}
          included={modifier.price > 0 && isIncluded(group, modifier, choice)}
          onCount={(count) => onCount(modifier, count)}
        />
      ))}
    </fieldset>
  );
}

/** The id of the option "none" in an optional choice. */
const none = 0;

/** A group in which at most one modifier can be chosen. */
function SingleChoiceGroup({ group, choice, onCount }: ModifierGroupProps) {
  const { t } = useLingui();
  const modifiers = modifiersOf(group);
  const chosen = modifiers.find(({ id }) => choice[choiceKey(id, group.id)]);
  const isOptional = group.min === 0;
  const options = modifiers.map((modifier) => ({
    value: modifier.id,
    label: <span lang={modifier.lang}>{modifier.name}</span>,
    note: <ModifierNote modifier={modifier} />,
    end: <ModifierPrice price={modifier.price} included={modifier.price > 0 && group.free > 0} />,
    disabled: modifier.type === 'stop',
  }));
  const change = (id: number) => {
    const modifier = modifiers.find((other) => other.id === id);
    if (modifier) onCount(modifier, 1);
    else if (chosen) onCount(chosen, 0); // the option for none was chosen
  };
  return (
    <RadioGroup
      legend={<Legend group={group} choice={choice} />}
      options={
        isOptional
          ? [
              {
                value: none,
                label: t({ id: 'product.modifier-group.not-needed', message: 'Not needed' }),
              },
              ...options,
            ]
          : options
      }
      value={chosen?.id ?? (isOptional ? none : undefined)}
      onChange={change}
    />
  );
}

interface LegendProps {
  group: Group;
  choice: Choice;
}

/** The name of a group with its rule. */
function Legend({ group, choice }: LegendProps) {
  const rule = useRule(group);
  return (
    <>
      <span lang={group.lang} className="block text-lead strong">
        {group.name}
      </span>
      <span className="block text-note font-normal text-ink-soft">{rule}</span>
      <AvoidedDefaults group={group} choice={choice} />
    </>
  );
}

/** The warning that modifiers chosen by default contain allergens that the visitor avoids; nothing when none does. */
function AvoidedDefaults({ group, choice }: LegendProps) {
  const { t } = useLingui();
  const avoided = useAvoided();
  const names = modifiersOf(group)
    // Only what is chosen by default, or has to be, and is chosen still.
    .filter(({ id, count, min }) => count + min > 0 && choice[choiceKey(id, group.id)])
    .filter(({ allergens }) => avoidedIn(allergens, avoided).length > 0)
    .map(({ name }) => name)
    .join(', ');
  if (!names) return null;
  return (
    <span className="block text-note text-warn">
      {t({
        id: 'product.modifier-group.chosen-by-default',
        message: `Chosen by default, but with something you do not eat: ${names}`,
      })}
    </span>
  );
}

/** Returns the rule of a group in words: how many may be chosen and how many of them cost nothing. */
function useRule(group: Group): string {
  const bounds = useBounds(group);
  const free = useFree(group);
  return free ? `${bounds}. ${free}` : bounds;
}

/** Returns in words how many modifiers of a group may be chosen. */
function useBounds({ min, max, modifiers }: Group): string {
  const { t } = useLingui();
  const total = Object.keys(modifiers).length;
  if (max === 1)
    return min === 1
      ? t({ id: 'product.modifier-group.choose-one', message: 'Choose one' })
      : t({ id: 'product.modifier-group.choose-one-or-nothing', message: 'Choose one or nothing' });
  if (min === max)
    return t({ id: 'product.modifier-group.choose-exactly', message: `Choose ${min} of ${total}` });
  return min === 0
    ? t({ id: 'product.modifier-group.choose-at-most', message: `Choose up to ${max}` })
    : t({ id: 'product.modifier-group.choose-between', message: `Choose from ${min} to ${max}` });
}

/**
 * Returns in words how many modifiers of a group are included in the price; undefined when none is included or
 * all are free anyway.
 */
function useFree({ free, max, modifiers }: Group): string | undefined {
  const { t } = useLingui();
  const hasPrices = Object.values(modifiers).some(({ price }) => price > 0);
  if (free <= 0 || !hasPrices) return undefined;
  if (free >= max)
    return t({ id: 'product.modifier-group.included-in-price', message: 'Included in the price' });
  return t({
    id: 'product.modifier-group.included-count',
    message: plural(free, {
      one: '# is included, more at extra cost',
      other: '# are included, more at extra cost',
    }),
  });
}

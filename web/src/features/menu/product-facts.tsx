import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useLanguage } from '@/i18n/use-language';
import { formatNumber } from '@/lib/money';
import { LabelChip } from '@/ui/chip';

type Product = Schema<'Product'>;

/** How much one gets: "245 g · 8 pieces". */
export function Portion({ product: { weight, quantity } }: { product: Product }) {
  const language = useLanguage();
  return (
    <>
      {weight && `${writeWeight(weight.value, language)}\u00a0${weight.unit}`}
      {weight && quantity > 1 && ' · '}
      {quantity > 1 && <Plural value={quantity} one="# piece" other="# pieces" />}
    </>
  );
}

const writeWeight = (value: number, language: ReturnType<typeof useLanguage>) =>
  formatNumber(value, language, Number.isInteger(value) ? 0 : 1);

/** The allergens in one line; the product's own page tells more. */
export function Allergens({ product: { allergens } }: { product: Product }) {
  if (allergens.length === 0) return null;
  const names = allergens.map((allergen) => allergen.name).join(', ');
  return <Trans>Allergens: {names}</Trans>;
}

const tones: Record<string, 'accent' | 'good' | 'warn'> = {
  hit: 'accent',
  new: 'accent',
  spicy: 'warn',
  vegan: 'good',
};

/** What sets the product apart (new, often taken, spicy) and its discount. */
export function Accents({ product }: { product: Product }) {
  const { t } = useLingui();
  const { accent, accent_text: text, discount } = product;
  const words: Record<string, string> = {
    hit: t`Popular`,
    new: t`New`,
    spicy: t`Spicy`,
    vegan: t`Vegan`,
  };
  const word = text || (accent && words[accent]);
  return (
    <>
      {word && <LabelChip tone={tones[accent ?? ''] ?? 'quiet'}>{word}</LabelChip>}
      {discount > 0 && <LabelChip tone="good">{`−${discount}%`}</LabelChip>}
    </>
  );
}

/** Whether the price grows in any case: something that costs more than nothing has to be chosen. */
export function startsFrom({ modifiers }: Product): boolean {
  return modifiers.groups.some(
    (group) =>
      group.min > 0 && Object.values(group.modifiers).every((modifier) => modifier.price > 0),
  );
}

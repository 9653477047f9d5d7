import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useCallback } from 'react';
import type { Schema } from '@/api/types';
import { AllergenWarning } from '@/entities/allergens/allergen-warning';
import { useAvoidedIn } from '@/entities/allergens/avoided';
import { useLanguage } from '@/i18n/use-language';
import { formatNumber } from '@/lib/money';
import { LabelChip } from '@/ui/chip';

type Product = Schema<'Product'>;

/** The size of a portion: "245 g · 8 pieces". */
export function Portion({ product: { weight, quantity } }: { product: Product }) {
  const language = useLanguage();
  return (
    <>
      {weight && `${writeWeight(weight.value, language)}\u00a0${weight.unit}`}
      {weight && quantity > 1 && ' · '}
      {quantity > 1 && (
        <Plural id="common.pieces" value={quantity} one="# piece" other="# pieces" />
      )}
    </>
  );
}

/** Formats a weight with at most one decimal. */
const writeWeight = (value: number, language: ReturnType<typeof useLanguage>) =>
  formatNumber(value, language, Number.isInteger(value) ? 0 : 1);

/** The allergens of a product; a warning with only those that the visitor avoids, when there are any. */
export function Allergens({ product: { allergens } }: { product: Product }) {
  const isAvoided = useAvoidedIn(allergens).length > 0;
  if (allergens.length === 0) return null;
  // The warning replaces the line, so that nothing moves when the choice is known.
  if (isAvoided) return <AllergenWarning allergens={allergens} />;
  const names = allergens.map((allergen) => allergen.name).join(', ');
  return (
    <p className="text-note text-ink-soft">
      <Trans id="common.allergens">Allergens: {names}</Trans>
    </p>
  );
}

const tones: Record<string, 'accent' | 'good' | 'warn'> = {
  hit: 'accent',
  new: 'accent',
  spicy: 'warn',
  vegan: 'good',
};

/**
 * Returns a function that returns the accent of a product, such as "New" or "Spicy"; empty for most products. The
 * server's text for it goes before the usual word.
 */
export function useAccentWord(): (product: Product) => string {
  const { t } = useLingui();
  return useCallback(
    ({ accent, accent_text: text }) => {
      const words: Record<string, string> = {
        hit: t({ id: 'menu.product-facts.popular', message: 'Popular' }),
        new: t({ id: 'menu.product-facts.new', message: 'New' }),
        spicy: t({ id: 'menu.product-facts.spicy', message: 'Spicy' }),
        vegan: t({ id: 'menu.product-facts.vegan', message: 'Vegan' }),
      };
      return text || words[accent ?? ''] || '';
    },
    [t],
  );
}

/** The chips with the accent of a product (new, popular, spicy) and its discount. */
export function Accents({ product }: { product: Product }) {
  const word = useAccentWord()(product);
  const { accent, discount } = product;
  return (
    <>
      {word && <LabelChip tone={tones[accent ?? ''] ?? 'quiet'}>{word}</LabelChip>}
      {discount > 0 && <LabelChip tone="good">{`−${discount}%`}</LabelChip>}
    </>
  );
}

/**
 * Reports whether the price is the lowest of several ("from"): a group requires more modifiers than it
 * has free, and each of its modifiers costs something.
 */
export function startsFrom({ modifiers }: Product): boolean {
  return modifiers.groups.some(
    (group) =>
      group.min > group.free &&
      Object.values(group.modifiers).every((modifier) => modifier.price > 0),
  );
}

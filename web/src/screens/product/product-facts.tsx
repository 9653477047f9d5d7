import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Schema } from '@/api/types';
import { AvoidedButton } from '@/entities/allergens/avoided-button';
import { useLanguage } from '@/i18n/use-language';
import { formatNumber } from '@/lib/money';
import { Disclosure } from '@/ui/disclosure';

type Product = Schema<'Product'>;

/** The size of a portion: "245 g · 8 pieces". */
export function Portion({ product: { weight, quantity } }: { product: Product }) {
  const write = useNumber();
  return (
    <>
      {weight && `${write(weight.value)}\u00a0${weight.unit}`}
      {weight && quantity > 1 && ' · '}
      {quantity > 1 && (
        <Plural id="common.pieces" value={quantity} one="# piece" other="# pieces" />
      )}
    </>
  );
}

/**
 * Composition, allergens, additives and nutrition of a product, each folded; nothing for those that are not
 * known.
 */
export function ProductFacts({ product }: { product: Product }) {
  const { t } = useLingui();
  const { composition, allergens, nutritional_value: nutrition } = product;
  return (
    <div className="border-t border-line">
      {composition && (
        <Disclosure
          summary={t({ id: 'product.product-facts.composition', message: 'Ingredients' })}
        >
          <span lang={product.composition_lang}>{composition}</span>
        </Disclosure>
      )}
      {allergens.length > 0 && (
        <Disclosure summary={t({ id: 'product.product-facts.allergens', message: 'Allergens' })}>
          <p className="mb-2">{allergens.map(({ name }) => name).join(', ')}</p>
          <AvoidedButton />
        </Disclosure>
      )}
      {product.additives && (
        <Disclosure summary={t({ id: 'product.product-facts.additives', message: 'Additives' })}>
          <span lang={product.additives_lang}>{product.additives}</span>
        </Disclosure>
      )}
      {nutrition && (
        <Disclosure
          summary={t({
            id: 'product.product-facts.nutrition-in-100-g',
            message: 'Nutrition per 100 g',
          })}
        >
          <Nutrition nutrition={nutrition} />
        </Disclosure>
      )}
    </div>
  );
}

/** The energy and the nutrients of a product. */
function Nutrition({ nutrition }: { nutrition: Schema<'NutritionalValue'> }) {
  const { t } = useLingui();
  const write = useNumber();
  const { kilocalories, proteins, fats, carbohydrates } = nutrition;
  return (
    <dl className="grid grid-cols-2 gap-3 min-[26rem]:grid-cols-4">
      <Fact name={<Trans id="product.product-facts.energy">Energy</Trans>}>
        {t({ id: 'product.facts.kilocalories', message: `${write(kilocalories)} kcal` })}
      </Fact>
      <Fact name={<Trans id="product.product-facts.protein">Protein</Trans>}>
        {t({ id: 'product.facts.grams', message: `${write(proteins)} g` })}
      </Fact>
      <Fact name={<Trans id="product.product-facts.fat">Fat</Trans>}>
        {t({ id: 'product.facts.grams', message: `${write(fats)} g` })}
      </Fact>
      <Fact name={<Trans id="product.product-facts.carbohydrates">Carbohydrates</Trans>}>
        {t({ id: 'product.facts.grams', message: `${write(carbohydrates)} g` })}
      </Fact>
    </dl>
  );
}

/** A name with its value in a list of facts. */
const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div>
    <dt className="text-note text-ink-soft">{name}</dt>
    <dd className="numeral">{children}</dd>
  </div>
);

/** Returns a function that formats a number in the page's language, a fraction with one decimal. */
function useNumber() {
  const language = useLanguage();
  return (value: number) => formatNumber(value, language, Number.isInteger(value) ? 0 : 1);
}

import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Schema } from '@/api/types';
import { AvoidedButton } from '@/entities/allergens/avoided-button';
import { useLanguage } from '@/i18n/use-language';
import { formatNumber } from '@/lib/money';
import { Disclosure } from '@/ui/disclosure';

type Product = Schema<'Product'>;

/** How much one gets: "245 g · 8 pieces". */
export function Portion({ product: { weight, quantity } }: { product: Product }) {
  const write = useNumber();
  return (
    <>
      {weight && `${write(weight.value)}\u00a0${weight.unit}`}
      {weight && quantity > 1 && ' · '}
      {quantity > 1 && <Plural value={quantity} one="# piece" other="# pieces" />}
    </>
  );
}

/** Composition, allergens and nutrition, each one press away. */
export function ProductFacts({ product }: { product: Product }) {
  const { t } = useLingui();
  const { composition, allergens, nutritional_value: nutrition } = product;
  return (
    <div className="border-t border-line">
      {composition && <Disclosure summary={t`Composition`}>{composition}</Disclosure>}
      {allergens.length > 0 && (
        <Disclosure summary={t`Allergens`}>
          <p className="mb-2">{allergens.map(({ name }) => name).join(', ')}</p>
          <AvoidedButton />
        </Disclosure>
      )}
      {nutrition && (
        <Disclosure summary={t`Nutrition in 100 g`}>
          <Nutrition nutrition={nutrition} />
        </Disclosure>
      )}
    </div>
  );
}

function Nutrition({ nutrition }: { nutrition: Schema<'NutritionalValue'> }) {
  const { t } = useLingui();
  const write = useNumber();
  const { kilocalories, proteins, fats, carbohydrates } = nutrition;
  return (
    <dl className="grid grid-cols-2 gap-3 min-[26rem]:grid-cols-4">
      <Fact name={<Trans>Energy</Trans>}>{t`${write(kilocalories)} kcal`}</Fact>
      <Fact name={<Trans>Protein</Trans>}>{t`${write(proteins)} g`}</Fact>
      <Fact name={<Trans>Fat</Trans>}>{t`${write(fats)} g`}</Fact>
      <Fact name={<Trans>Carbohydrates</Trans>}>{t`${write(carbohydrates)} g`}</Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div>
    <dt className="text-note text-ink-soft">{name}</dt>
    <dd className="numeral">{children}</dd>
  </div>
);

/** Writes a number with a decimal only where it has one. */
function useNumber() {
  const language = useLanguage();
  return (value: number) => formatNumber(value, language, Number.isInteger(value) ? 0 : 1);
}

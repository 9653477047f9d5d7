import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { AllergenWarning } from '@/entities/allergens/allergen-warning';
import { Price } from '@/ui/price';
import { FreePrice } from './gifts/free-price';

interface OrderLinesProps {
  products: readonly Schema<'CartProduct'>[];
  packages?: readonly Schema<'Package'>[];
  /** Gifts and presents; those that were not taken are left out. */
  gifts?: readonly Schema<'Gift'>[];
  /** Whether lines warn of allergens that the visitor avoids; those of a placed order do not. */
  warns?: boolean;
}

/** The lines of an order as on a receipt, without controls: dishes, gifts and packages with their prices. */
export function OrderLines({ products, packages = [], gifts = [], warns }: OrderLinesProps) {
  const { t } = useLingui();
  return (
    <ul
      aria-label={t({ id: 'cart.order-lines.what-ordered', message: 'What is ordered' })}
      className="flex flex-col gap-2"
    >
      {products.map(({ key, name, lang, count, total, modifiers, allergens }) => (
        <li key={key} className="flex items-baseline justify-between gap-4">
          <span className="min-w-0">
            <span lang={lang}>{name}</span> <CountMark count={count} />
            {modifiers.length > 0 && (
              <span lang={modifiers[0]?.lang} className="block text-note text-ink-soft">
                {modifiers
                  .map((one) => (one.count > 1 ? `${one.name} × ${one.count}` : one.name))
                  .join(', ')}
              </span>
            )}
            {warns && <AllergenWarning allergens={allergens} />}
          </span>
          <Price amount={total} />
        </li>
      ))}
      {gifts
        .filter(({ count }) => count > 0)
        .map(({ id, type, name, lang, count, basic_price: worth, allergens }) => (
          <li key={`${type}.${id}`} className="flex items-baseline justify-between gap-4">
            <span className="min-w-0">
              <span lang={lang}>{name}</span> <CountMark count={count} />
              <span className="block text-note text-ink-soft">
                {type === 'personalGift'
                  ? t({ id: 'cart.order-lines.your-present', message: 'Your present' })
                  : t({ id: 'cart.gift', message: 'Gift' })}
              </span>
              {warns && <AllergenWarning allergens={allergens} />}
            </span>
            <FreePrice worth={worth * count} />
          </li>
        ))}
      {packages
        .filter(({ count }) => count > 0)
        .map(({ id, name, count, price }) => (
          <li key={id} className="flex items-baseline justify-between gap-4 text-ink-soft">
            <span className="min-w-0">
              {name} <CountMark count={count} />
            </span>
            {price > 0 && <Price amount={price * count} />}
          </li>
        ))}
    </ul>
  );
}

/** The number of portions; nothing for a single one. */
const CountMark = ({ count }: { count: number }) =>
  count > 1 && <span className="numeral whitespace-nowrap text-ink-soft">× {count}</span>;

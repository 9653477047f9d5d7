import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { Price } from '@/ui/price';

interface OrderLinesProps {
  products: readonly Schema<'CartProduct'>[];
  packages?: readonly Schema<'Package'>[];
}

/** What is ordered, to be read and not to be changed: as on a receipt. */
export function OrderLines({ products, packages = [] }: OrderLinesProps) {
  const { t } = useLingui();
  return (
    <ul aria-label={t`What is ordered`} className="flex flex-col gap-2">
      {products.map(({ key, name, count, total, modifiers }) => (
        <li key={key} className="flex items-baseline justify-between gap-4">
          <span className="min-w-0">
            {name} <Times count={count} />
            {modifiers.length > 0 && (
              <span className="block text-note text-ink-soft">
                {modifiers
                  .map((one) => (one.count > 1 ? `${one.name} × ${one.count}` : one.name))
                  .join(', ')}
              </span>
            )}
          </span>
          <Price amount={total} column />
        </li>
      ))}
      {packages
        .filter(({ count }) => count > 0)
        .map(({ id, name, count }) => (
          <li key={id} className="text-ink-soft">
            {name} <Times count={count} />
          </li>
        ))}
    </ul>
  );
}

const Times = ({ count }: { count: number }) =>
  count > 1 && <span className="numeral whitespace-nowrap text-ink-soft">× {count}</span>;

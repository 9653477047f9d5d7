import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ShownLine, sumCounts } from '@/entities/cart/changes';
import { lineMax } from '@/entities/cart/line-max';
import { useChangeCart } from '@/entities/cart/queries';
import { Counter } from '@/ui/fields/counter';

interface InCartProps {
  name: string;
  /** The dish's lines in the cart. */
  lines: readonly ShownLine[];
}

/** The lines of this dish in the cart with their counters; nothing when there are none. */
export function InCart({ name, lines }: InCartProps) {
  const { t } = useLingui();
  const { setCount } = useChangeCart();
  if (lines.length === 0) return null;
  const count = sumCounts(lines);
  return (
    <section
      aria-label={t({ id: 'product.in-cart', message: 'In the cart' })}
      className="rounded-[min(var(--radius-card),16px)] bg-raised p-3.5"
    >
      <p className="strong">
        <Plural
          id="product.in-cart.portions-in-cart"
          value={count}
          one="# portion is in the cart"
          other="# portions are in the cart"
        />
      </p>
      <ul>
        {lines.map((shown) => {
          const { key, line, count: portions } = shown;
          const words = line?.modifiers.map((modifier) => modifier.name).join(', ');
          return (
            <li key={key} className="flex items-center justify-between gap-3 pt-2">
              <span className="min-w-0 text-note">
                {words || t({ id: 'product.in-cart.as-it-is', message: 'As it is' })}
              </span>
              <Counter
                name={words ? `${name}, ${words}` : name}
                count={portions}
                step={line?.sale_multiplicity}
                max={lineMax(lines, shown)}
                onChange={(next) => setCount(key, next)}
              />
            </li>
          );
        })}
      </ul>
      <p className="pt-2 text-note text-ink-soft">
        <Trans id="product.in-cart.one-more-like">
          One more like this, or another choice below.
        </Trans>
      </p>
    </section>
  );
}

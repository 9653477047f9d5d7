import { useLingui } from '@lingui/react/macro';
import { classes } from './classes';
import { useMoney } from './money';
import { VisuallyHidden } from './visually-hidden';

const sizes = { small: 'text-note', medium: 'text-body', large: 'text-title' };

interface PriceProps {
  /** Major units of the city's currency. */
  amount: number;
  /** Shown struck through when it is above the amount. */
  oldAmount?: number;
  size?: keyof typeof sizes;
}

/** A sum in the currency of the money provider, followed by a higher old sum struck through. */
export function Price({ amount, oldAmount, size = 'medium' }: PriceProps) {
  const { t } = useLingui();
  const money = useMoney();
  const wasMore = oldAmount !== undefined && oldAmount > amount;
  return (
    <span className={classes('numeral whitespace-nowrap', sizes[size])}>
      {money(amount)}
      {wasMore && (
        <del className="ms-2 text-note text-ink-soft">
          <VisuallyHidden>{t({ id: 'common.price-before', message: 'Before:' })} </VisuallyHidden>
          {money(oldAmount)}
        </del>
      )}
    </span>
  );
}

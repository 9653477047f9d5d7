import { useLingui } from '@lingui/react/macro';
import { Minus, Plus } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../button';
import { classes } from '../classes';
import { useKeptFocus } from '../hooks/use-kept-focus';
import { Icon } from '../icon';
import { useMoney } from '../money';

interface CounterProps {
  /** The name of the counted item, for the labels of the buttons: "Add one: Philadelphia". */
  name: string;
  count: number;
  onChange: (count: number) => void;
  /** How many one press adds or takes; never below `min`. */
  step?: number;
  min?: number;
  max: number;
  /** As wide as its container. */
  wide?: boolean;
  disabled?: boolean;
}

/** A count between the buttons that lower and raise it. Both buttons are 44 px. */
export function Counter({
  name,
  count,
  onChange,
  step = 1,
  min = 0,
  max,
  wide = false,
  disabled = false,
}: CounterProps) {
  const { t } = useLingui();
  const buttonClass =
    'grid size-[44px] place-items-center rounded-control hover:brightness-95 disabled:cursor-not-allowed disabled:text-ink-soft';
  return (
    <span
      className={classes(
        'inline-flex items-center justify-between rounded-control bg-tint text-on-tint',
        wide ? 'w-full' : 'min-w-[128px]',
      )}
    >
      <button
        type="button"
        aria-label={
          step === 1
            ? t({ id: 'ui.counter.take-one-away', message: `Take one away: ${name}` })
            : t({ id: 'ui.counter.take-step-away', message: `Take ${step} away: ${name}` })
        }
        disabled={disabled || count <= min}
        // The step may have grown since the last change: then a count below one step becomes `min`.
        onClick={() => onChange(Math.max(min, count - step))}
        className={buttonClass}
      >
        <Icon of={Minus} />
      </button>
      <span
        key={count}
        className="numeral-column min-w-6 animate-[settle_var(--motion)_ease-out] text-center"
      >
        {count}
      </span>
      <button
        type="button"
        aria-label={
          step === 1
            ? t({ id: 'ui.counter.add-one', message: `Add one: ${name}` })
            : t({ id: 'ui.counter.add-step', message: `Add ${step}: ${name}` })
        }
        disabled={disabled || count + step > max}
        onClick={() => onChange(count + step)}
        className={buttonClass}
      >
        <Icon of={Plus} />
      </button>
    </span>
  );
}

interface PriceCounterProps extends Omit<CounterProps, 'disabled'> {
  /** The price of one, in major units. */
  price: number;
  /** Called for the first press instead of counting, when something has to be chosen first. */
  onChoose?: () => void;
  /** Whether the price is shown as "from …". */
  from?: boolean;
}

/**
 * The price as a button; the counter replaces it while the count is above 0. The button is disabled when one
 * step exceeds `max`.
 */
export function PriceCounter({ price, onChoose, from = false, ...counter }: PriceCounterProps) {
  const { t } = useLingui();
  const money = useMoney();
  const place = useRef<HTMLSpanElement>(null);
  const { name, count, onChange, step = 1, max, wide } = counter;
  const isCounting = count > 0;
  const keepFocus = useKeptFocus(place, isCounting);
  const change = (next: number) => {
    keepFocus(next > 0);
    onChange(next);
  };
  const amount = money(price);
  const written = from ? t({ id: 'ui.counter.from', message: `from ${amount}` }) : amount;
  const isOff = step > max;
  return (
    <span ref={place} className={wide ? 'block w-full' : 'inline-block'}>
      {isCounting ? (
        <Counter {...counter} onChange={change} />
      ) : (
        <Button
          look="inviting"
          wide={wide}
          icon={isOff ? undefined : Plus}
          disabled={isOff}
          aria-haspopup={onChoose && 'dialog'}
          aria-label={
            onChoose
              ? t({ id: 'ui.counter.choose', message: `Choose: ${name}, ${written}` })
              : t({ id: 'ui.counter.add-to-cart', message: `Add to cart: ${name}, ${written}` })
          }
          onClick={() => (onChoose ? onChoose() : change(step))}
        >
          <span className={classes('numeral inline-block whitespace-nowrap', !wide && 'min-w-17')}>
            {written}
          </span>
        </Button>
      )}
    </span>
  );
}

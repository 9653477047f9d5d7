import { type ReactNode, useId } from 'react';
import { classes } from '../classes';

export interface RadioOption<Value extends string | number> {
  value: Value;
  label: ReactNode;
  note?: ReactNode;
  /** Smaller words that describe the option and are no part of its name. */
  hint?: ReactNode;
  /** At the end of the row: a price, a time. */
  end?: ReactNode;
  disabled?: boolean;
}

interface RadioGroupProps<Value extends string | number> {
  /** The question; every option answers it. */
  legend: ReactNode;
  hideLegend?: boolean;
  options: readonly RadioOption<Value>[];
  value: Value | undefined;
  onChange: (value: Value) => void;
  /**
   * `rows` stand one under another, `cards` side by side as far as they fit, `wide-cards` so that a note fits
   * too.
   */
  layout?: keyof typeof layouts;
  error?: ReactNode;
}

const layouts = {
  rows: 'flex flex-col gap-2',
  cards: 'grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2',
  'wide-cards': 'grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-2',
};

/** Radio buttons as cards, with the error below. */
export function RadioGroup<Value extends string | number>({
  legend,
  hideLegend,
  options,
  value,
  onChange,
  layout = 'rows',
  error,
}: RadioGroupProps<Value>) {
  const name = useId();
  const errorId = `${name}-error`;
  return (
    <fieldset className="min-w-0" aria-describedby={error ? errorId : undefined}>
      <legend className={hideLegend ? 'sr-only' : 'mb-1.5 text-note strong'}>{legend}</legend>
      <div className={layouts[layout]}>
        {options.map((option) => (
          <label
            key={option.value}
            className={classes(
              'relative flex min-h-12 items-center gap-3 rounded-[min(var(--radius-control),16px)] border-[length:var(--line-width)] px-3.5 py-2.5',
              option.value === value
                ? 'border-accent-ink bg-tint text-on-tint'
                : 'border-line bg-surface',
              option.disabled ? 'cursor-not-allowed text-ink-soft' : 'cursor-pointer',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
              aria-labelledby={option.hint ? `${name}-${option.value}` : undefined}
              aria-describedby={option.hint ? `${name}-${option.value}-hint` : undefined}
              className="peer size-5 shrink-0 cursor-[inherit] appearance-none rounded-full border-2 border-edge bg-surface outline-none transition-[border-width,border-color] duration-(--motion-fast) checked:border-6 checked:border-accent-ink disabled:border-line forced-colors:appearance-auto"
            />
            {/* The focus ring around the card, for browsers without :has. */}
            <span
              aria-hidden="true"
              className="pointer-events-none absolute -inset-(--line-width) rounded-[inherit] outline-offset-2 outline-accent-ink peer-focus-visible:outline-3"
            />
            <span className="min-w-0 flex-1">
              <span id={`${name}-${option.value}`}>{option.label}</span>
              {option.hint && (
                <span id={`${name}-${option.value}-hint`} className="block text-note opacity-85">
                  {option.hint}
                </span>
              )}
              {option.note && <span className="block text-note opacity-85">{option.note}</span>}
            </span>
            {option.end && <span className="ms-auto">{option.end}</span>}
          </label>
        ))}
      </div>
      <p id={errorId} aria-live="polite" className="mt-1.5 text-note text-danger empty:hidden">
        {error}
      </p>
    </fieldset>
  );
}

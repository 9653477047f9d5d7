import { type ReactNode, useId } from 'react';
import { classes } from '../classes';
import { joinIds } from './join-ids';

export interface RadioOption<Value extends string | number> {
  value: Value;
  label: ReactNode;
  /** Smaller words under the label that describe the option and are no part of its name. */
  note?: ReactNode;
  /** At the end of the row: a price, a time. It describes the option too, before the note. */
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
        {options.map((option) => {
          const labelId = `${name}-${option.value}`;
          const noteId = option.note ? `${labelId}-note` : undefined;
          const endId = option.end ? `${labelId}-end` : undefined;
          return (
            <label
              key={option.value}
              className={classes(
                'relative flex min-h-12 flex-wrap items-center gap-x-[12px] rounded-[min(var(--radius-control),16px)] border-[length:var(--line-width)] px-[14px] py-2.5',
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
                aria-labelledby={labelId}
                aria-describedby={joinIds(endId, noteId)}
                className="peer size-5 shrink-0 cursor-[inherit] appearance-none rounded-full border-2 border-edge bg-surface outline-none transition-[border-width,border-color] duration-(--motion-fast) checked:border-6 checked:border-accent-ink disabled:border-line forced-colors:appearance-auto"
              />
              {/* The focus ring around the card, for browsers without :has. */}
              <span
                aria-hidden="true"
                className="pointer-events-none absolute -inset-(--line-width) rounded-[inherit] outline-offset-2 outline-accent-ink peer-focus-visible:outline-3"
              />
              {/* Where what is at the end leaves less room for words, it takes a line of its own. */}
              <span className="min-w-[max(min(64px,50%),min(11rem-128px,75%))] flex-1">
                <span id={labelId}>{option.label}</span>
                {option.note && (
                  <span id={noteId} className="block text-note opacity-85">
                    {option.note}
                  </span>
                )}
              </span>
              {option.end && (
                <span id={endId} className="ms-auto">
                  {option.end}
                </span>
              )}
            </label>
          );
        })}
      </div>
      <p id={errorId} aria-live="polite" className="mt-1.5 text-note text-danger empty:hidden">
        {error}
      </p>
    </fieldset>
  );
}

import { type ReactNode, useId } from 'react';
import { classes } from './classes';

interface SegmentedSwitchProps<Value extends string> {
  /** What is switched, in words; spoken. */
  label: string;
  options: readonly { value: Value; label: ReactNode; disabled?: boolean }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Two or three ways side by side, one of them taken: delivery or takeaway, list or map. */
export function SegmentedSwitch<Value extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedSwitchProps<Value>) {
  const name = useId();
  return (
    <fieldset className="flex w-full gap-1 rounded-control bg-raised p-1">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classes(
            'relative flex min-h-11 min-w-0 flex-1 cursor-pointer items-center justify-center rounded-control px-3 text-center strong',
            'text-ink-soft has-checked:bg-ink has-checked:text-ground',
            'has-focus-visible:outline-3 has-focus-visible:outline-accent-ink has-disabled:cursor-not-allowed',
            'forced-colors:has-checked:outline-2',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-control outline-none"
          />
          <span className="pointer-events-none">{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { classes } from '../classes';

interface SegmentedSwitchProps<Value extends string> {
  /** The name of the choice, for screen readers only. */
  label: string;
  options: readonly { value: Value; label: ReactNode; disabled?: boolean }[];
  value: Value;
  onChange: (value: Value) => void;
}

/**
 * Radio buttons side by side for two or three alternatives, such as delivery or takeaway. It also reports a choice
 * that was made before hydration.
 */
export function SegmentedSwitch<Value extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedSwitchProps<Value>) {
  const name = useId();
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const reportEarlierChoice = useEffectEvent(() => {
    const pressed = fieldset.current?.querySelector<HTMLInputElement>(':checked')?.value;
    const option = options.find((each) => each.value === pressed);
    if (option && option.value !== value) onChange(option.value);
  });
  useLayoutEffect(() => reportEarlierChoice(), []);
  return (
    <fieldset ref={fieldset} className="flex w-full flex-wrap gap-1 rounded-control bg-raised p-1">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classes(
            'relative flex min-h-11 min-w-min flex-1 items-center justify-center rounded-control px-3 text-center strong',
            option.value === value ? 'bg-ink text-ground forced-colors:outline-2' : 'text-ink-soft',
            option.disabled ? 'cursor-not-allowed' : 'cursor-pointer',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-[inherit] appearance-none rounded-control focus-visible:outline-offset-0"
          />
          <span className="pointer-events-none">{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

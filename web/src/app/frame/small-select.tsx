import { ChevronDown } from 'lucide-react';
import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { Icon } from '@/ui/icon';

interface SmallSelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** The browser's own select, small enough for a header. It also reports a choice that was made before hydration. */
export function SmallSelect({ label, value, options, onChange }: SmallSelectProps) {
  const select = useRef<HTMLSelectElement>(null);
  const reportEarlierChoice = useEffectEvent(() => {
    const shown = select.current?.value;
    // When `value` is no option, the browser selects one by itself: that is no choice of the visitor.
    const isOption = options.some((option) => option.value === value);
    if (shown && shown !== value && isOption) onChange(shown);
  });
  useLayoutEffect(() => reportEarlierChoice(), []);
  return (
    <span className="relative inline-flex items-center">
      <select
        ref={select}
        aria-label={label}
        // Otherwise the browser fills in an earlier choice when the visitor comes back to the page.
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="min-h-11 [field-sizing:content] cursor-pointer appearance-none rounded-control bg-transparent ps-2 pe-7 hover:bg-raised [&>option]:bg-surface [&>option]:text-ink"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute inset-e-1.5">
        <Icon of={ChevronDown} size="small" />
      </span>
    </span>
  );
}

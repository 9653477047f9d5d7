import { ChevronDown } from 'lucide-react';
import { Icon } from '@/ui/icon';

interface SmallSelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  disabled?: boolean;
}

/** The browser's own list of choices, small enough for a header. */
export function SmallSelect({ label, value, options, onChange, disabled }: SmallSelectProps) {
  return (
    <span className="relative inline-flex items-center">
      <select
        aria-label={label}
        value={value}
        disabled={disabled}
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

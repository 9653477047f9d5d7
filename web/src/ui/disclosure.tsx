import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './icon';

interface DisclosureProps {
  summary: ReactNode;
  /** A short text at the end of the line. */
  end?: ReactNode;
  open?: boolean;
  onToggle?: (open: boolean) => void;
  /** Disclosures of one name close each other. */
  name?: string;
  children: ReactNode;
}

/** A line that opens and closes the content below it. */
export function Disclosure({ summary, end, open, onToggle, name, children }: DisclosureProps) {
  return (
    <details
      name={name}
      open={open}
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
      className="group border-b border-line"
    >
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 py-2 strong [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">{summary}</span>
        {end && <span className="text-ink-soft">{end}</span>}
        <span className="transition-transform duration-(--motion-fast) group-open:transform-[rotate(180deg)]">
          <Icon of={ChevronDown} />
        </span>
      </summary>
      <div className="pb-4">{children}</div>
    </details>
  );
}

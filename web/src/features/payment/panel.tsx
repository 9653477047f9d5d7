import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '@/ui/icon';
import { Spinner } from '@/ui/spinner';
import { usePanelFocus } from './use-panel-focus';

interface PanelProps {
  title: ReactNode;
  /** Whether it has taken another's place while the page was shown. */
  isNew: boolean;
  /** Says that something is under way. */
  busy?: boolean;
  icon?: LucideIcon;
  children?: ReactNode;
}

/** What the page is about just now, by its own heading. */
export function Panel({ title, isNew, busy = false, icon, children }: PanelProps) {
  const heading = usePanelFocus<HTMLHeadingElement>(isNew);
  return (
    <section className="flex flex-col gap-3">
      <h2
        ref={heading}
        tabIndex={-1}
        className="title flex items-center gap-3 text-title text-balance outline-none"
      >
        {busy && <Spinner silent />}
        {icon && <Icon of={icon} size="large" />}
        <span className="min-w-0">{title}</span>
      </h2>
      {children}
    </section>
  );
}

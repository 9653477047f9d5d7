import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Spinner } from '@/ui/feedback/spinner';
import { Icon } from '@/ui/icon';
import { usePanelFocus } from './use-panel-focus';

interface PanelProps {
  title: ReactNode;
  /** Whether it has replaced another panel while the page was shown. */
  isNew: boolean;
  /** Whether the panel says that something is under way. */
  busy?: boolean;
  icon?: LucideIcon;
  /** Whether it is a success: the icon stands out. */
  isSuccess?: boolean;
  children?: ReactNode;
}

const successClasses =
  'flex size-11 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent';

/** The panel of the page with its heading, which takes the focus when the panel has replaced another. */
export function Panel({ title, isNew, busy = false, icon, isSuccess, children }: PanelProps) {
  const heading = usePanelFocus<HTMLHeadingElement>(isNew);
  return (
    <section className="flex flex-col gap-3">
      <h2
        ref={heading}
        tabIndex={-1}
        className="title flex items-center gap-3 text-title text-balance outline-none"
      >
        {busy && <Spinner silent />}
        {icon && (
          <span className={isSuccess ? successClasses : undefined}>
            <Icon of={icon} size="large" />
          </span>
        )}
        <span className="min-w-0">{title}</span>
      </h2>
      {children}
    </section>
  );
}

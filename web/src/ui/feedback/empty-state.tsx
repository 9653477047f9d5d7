import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../icon';

interface EmptyStateProps {
  icon: LucideIcon;
  title: ReactNode;
  /** One sentence: what to do next. */
  children?: ReactNode;
  action?: ReactNode;
  /** `h1` where the page shows nothing else, `h3` below another heading. */
  heading?: 'h1' | 'h2' | 'h3';
}

/** An icon, a title, a sentence and an action in place of missing content. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  heading: Heading = 'h2',
}: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-8 text-center">
      <span className="grid size-20 place-items-center rounded-full bg-plate text-plate-mark">
        <Icon of={icon} size="large" />
      </span>
      <Heading className="title text-title">{title}</Heading>
      {children && <p className="text-ink-soft">{children}</p>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}

import type { LucideIcon } from 'lucide-react';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../classes';
import { Icon } from '../icon';

const tones = {
  info: { icon: Info, box: 'bg-raised text-ink', mark: 'text-accent-ink' },
  good: { icon: CircleCheck, box: 'bg-good-tint text-ink', mark: 'text-good' },
  warn: { icon: TriangleAlert, box: 'bg-warn-tint text-ink', mark: 'text-warn' },
  danger: { icon: CircleAlert, box: 'bg-danger-tint text-ink', mark: 'text-danger' },
};

interface NoticeProps {
  tone?: keyof typeof tones;
  icon?: LucideIcon;
  title?: ReactNode;
  children?: ReactNode;
  /** A button or link that helps. */
  action?: ReactNode;
}

/** A message that stays on the page. */
export function Notice({ tone = 'info', icon, title, children, action }: NoticeProps) {
  const { icon: ownIcon, box, mark } = tones[tone];
  return (
    <div
      className={classes(
        'flex items-start gap-3 rounded-[min(var(--radius-card),16px)] p-3.5',
        box,
      )}
    >
      <span className={classes('pt-0.5', mark)}>
        <Icon of={icon ?? ownIcon} />
      </span>
      <div className="min-w-0 flex-1">
        {title && <p className="strong">{title}</p>}
        {children && <div>{children}</div>}
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  );
}

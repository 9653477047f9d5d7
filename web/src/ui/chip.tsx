import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { classes } from './classes';
import { Icon } from './icon';

interface ChipProps extends Omit<ComponentPropsWithRef<'button'>, 'className' | 'style'> {
  /** Whether it is chosen; left out for a chip that acts instead of choosing. */
  pressed?: boolean;
  icon?: LucideIcon;
}

/** A small choice or action in a row of similar ones: a filter, a modifier, an example. */
export function Chip({ pressed, icon, children, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-pressed={pressed}
      className={classes(
        'target inline-flex min-h-9 shrink-0 items-center gap-1.5 rounded-chip border-[length:var(--line-width)] px-3 whitespace-nowrap',
        'transition-colors duration-(--motion-fast) disabled:cursor-not-allowed disabled:text-ink-soft',
        pressed
          ? 'border-accent-ink bg-tint text-on-tint strong'
          : 'border-line bg-surface text-ink hover:border-edge',
      )}
    >
      {icon && <Icon of={icon} size="small" />}
      {children}
    </button>
  );
}

interface LabelChipProps {
  tone?: 'accent' | 'good' | 'warn' | 'quiet';
  children: string;
}

const tones = {
  accent: 'bg-accent text-on-accent',
  good: 'bg-good-tint text-good',
  warn: 'bg-warn-tint text-warn',
  quiet: 'bg-raised text-ink-soft',
};

/** A label: new, spicy, stopped. It cannot be pressed. */
export function LabelChip({ tone = 'quiet', children }: LabelChipProps) {
  return (
    <span
      className={classes('inline-block rounded-chip px-2 py-0.5 text-note strong', tones[tone])}
    >
      {children}
    </span>
  );
}

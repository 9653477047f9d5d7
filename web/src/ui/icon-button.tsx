import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { classes } from './classes';
import { Icon } from './icon';

const looks = {
  plain: 'bg-transparent text-ink hover:bg-raised',
  filled: 'bg-raised text-ink hover:brightness-95',
  accent: 'bg-accent text-on-accent hover:brightness-95',
  /** Over a picture or a map. */
  floating: 'bg-surface text-ink shadow-low hover:brightness-97',
};

interface IconButtonProps
  extends Omit<ComponentPropsWithRef<'button'>, 'className' | 'style' | 'children' | 'aria-label'> {
  icon: LucideIcon;
  /** The text for screen readers. */
  label: string;
  look?: keyof typeof looks;
}

/** A square button of 44 px with an icon in place of text. */
export function IconButton({ icon, label, look = 'plain', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={classes(
        'inline-grid size-[44px] shrink-0 place-items-center rounded-control',
        'transition-[filter,background-color] duration-(--motion-fast)',
        'disabled:cursor-not-allowed disabled:text-ink-soft',
        looks[look],
      )}
    >
      <Icon of={icon} />
    </button>
  );
}

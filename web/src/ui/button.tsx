import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { classes } from './classes';
import { Spinner } from './feedback/spinner';
import { Icon } from './icon';

const variants = {
  primary: 'bg-accent text-on-accent hover:brightness-95 active:brightness-90',
  secondary: 'bg-raised text-ink hover:brightness-97 active:brightness-93',
  /** Adds a thing to the cart; there are many of them on a screen. */
  inviting: 'bg-tint text-on-tint hover:brightness-97 active:brightness-93',
  quiet: 'bg-transparent text-accent-ink hover:bg-raised',
  danger: 'bg-danger-fill text-on-danger hover:brightness-95',
};

const sizes = {
  /** Looks 36 px high; its touch target is 44 px. */
  small: 'min-h-9 px-3 text-note target',
  medium: 'min-h-11 px-4 text-body',
  large: 'min-h-13 px-4 text-lead desktop:px-6',
};

export type ButtonLook = keyof typeof variants;

/** Returns the classes of a button, for another element that looks like one (a link). */
export function buttonClasses(
  look: ButtonLook = 'primary',
  size: keyof typeof sizes = 'medium',
  wide = false,
): string {
  return classes(
    'inline-flex items-center justify-center gap-2 rounded-control py-1.5 text-center strong button-like',
    'transition-[filter,background-color] duration-(--motion-fast)',
    'disabled:cursor-not-allowed disabled:bg-raised disabled:text-ink-soft disabled:brightness-100',
    // With aria-disabled the button looks disabled but keeps the focus.
    'not-aria-busy:aria-disabled:cursor-not-allowed not-aria-busy:aria-disabled:bg-raised not-aria-busy:aria-disabled:text-ink-soft',
    variants[look],
    sizes[size],
    wide && 'w-full',
  );
}

export interface ButtonProps
  extends Omit<ComponentPropsWithRef<'button'>, 'className' | 'style' | 'size'> {
  look?: ButtonLook;
  size?: keyof typeof sizes;
  /** As wide as its container. */
  wide?: boolean;
  icon?: LucideIcon;
  /** Whether a press is being handled: a spinner is shown, and further presses do nothing. */
  busy?: boolean;
  /** A sum at the end of the button. */
  price?: ReactNode;
}

/**
 * Keeps the focus where it is while a button is pressed down. Otherwise the focused field would be checked, its
 * error would move the button, and the press would miss the button.
 */
export const keepFocus = (event: MouseEvent) => event.preventDefault();

/** The button of the kit. A screen has at most one `primary` button. */
export function Button({
  look,
  size,
  wide,
  icon,
  busy = false,
  price,
  children,
  onClick,
  onMouseDown,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? undefined : onClick}
      onMouseDown={onMouseDown ?? (type === 'submit' ? keepFocus : undefined)}
      className={buttonClasses(look, size, wide) + (price ? ' priced' : '')}
    >
      {busy ? <Spinner silent /> : icon && <Icon of={icon} />}
      <span className="min-w-0">{children}</span>
      {price && <span className="numeral">{price}</span>}
    </button>
  );
}

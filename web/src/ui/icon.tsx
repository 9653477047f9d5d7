import type { LucideIcon } from 'lucide-react';

const pixels = { small: 16, medium: 20, large: 24 };

interface IconProps {
  of: LucideIcon;
  size?: keyof typeof pixels;
}

/** An icon, hidden from screen readers: it is always beside a text or inside a labelled control. */
export function Icon({ of: Drawing, size = 'medium' }: IconProps) {
  return <Drawing aria-hidden="true" size={pixels[size]} strokeWidth={1.75} className="shrink-0" />;
}

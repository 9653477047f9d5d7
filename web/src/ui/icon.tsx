import type { LucideIcon } from 'lucide-react';

const pixels = { small: 16, medium: 20, large: 24 };

interface IconProps {
  of: LucideIcon;
  size?: keyof typeof pixels;
}

/** An icon of the one set, always beside words or inside a named control, so never spoken. */
export function Icon({ of: Drawing, size = 'medium' }: IconProps) {
  return <Drawing aria-hidden="true" size={pixels[size]} strokeWidth={1.75} className="shrink-0" />;
}

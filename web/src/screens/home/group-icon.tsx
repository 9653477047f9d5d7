import type { Schema } from '@/api/types';

const sizes = { small: 'size-5', large: 'size-7' };

interface GroupIconProps {
  group: Schema<'ProductGroup'>;
  size: keyof typeof sizes;
}

/** The icon before the name of a group that has one; nothing for the others. */
export function GroupIcon({ group, size }: GroupIconProps) {
  return group.icon && <img src={group.icon} alt="" className={`${sizes[size]} shrink-0`} />;
}

import { classes } from '../classes';

const shapes = {
  line: 'h-4 w-full rounded-chip',
  title: 'h-7 w-1/2 rounded-chip',
  chip: 'h-9 w-24 shrink-0 rounded-chip',
  button: 'h-11 w-full rounded-control',
  thumb: 'size-16 shrink-0 rounded-plate',
  dish: 'size-28 shrink-0 rounded-plate min-[24rem]:size-32',
  card: 'aspect-square w-full rounded-plate',
  banner: 'aspect-[2/1] w-full rounded-card',
};

interface SkeletonProps {
  shape: keyof typeof shapes;
  /** How many of them, one after another. */
  count?: number;
}

/** A skeleton of a part that is loading, in its final size. Put `aria-busy` on the element around it. */
export function Skeleton({ shape, count = 1 }: SkeletonProps) {
  return Array.from({ length: count }, (_, place) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: the shapes are all alike and never move
      key={place}
      aria-hidden="true"
      className={classes(
        'block animate-[breathe_1.4s_ease-in-out_infinite] bg-raised',
        shapes[shape],
      )}
    />
  ));
}

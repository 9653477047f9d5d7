import { Children, type ReactNode, useRef } from 'react';
import { classes } from './classes';
import { ScrollArrows } from './scroll-arrows';

const widths = {
  /** Small cards, several in sight. */
  small: 'w-36',
  medium: 'w-60 max-w-[80vw]',
  /** One and the edge of the next on a phone, three on desktop. */
  banner: 'w-[85%] max-w-md desktop:w-[calc((100%-2rem)/3)] desktop:max-w-none',
};

interface ScrollRowProps {
  /** The name of the row for screen readers. */
  label: string;
  itemWidth?: keyof typeof widths;
  children: ReactNode;
}

/** A row that scrolls sideways and snaps to its items, with two buttons for the mouse. */
export function ScrollRow({ label, itemWidth = 'small', children }: ScrollRowProps) {
  const row = useRef<HTMLUListElement>(null);
  return (
    <section aria-label={label} className="group/row relative min-w-0">
      <ul
        ref={row}
        // A row that scrolls has to be reachable by keyboard even where its items are not.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        className="flex snap-x snap-mandatory scroll-px-4 gap-4 overflow-x-auto overscroll-x-contain px-4 py-1 bare-scrollbar desktop:scroll-px-0 desktop:px-0"
      >
        {Children.map(children, (child) => (
          <li className={classes('shrink-0 snap-start', widths[itemWidth])}>{child}</li>
        ))}
      </ul>
      <ScrollArrows row={row} />
    </section>
  );
}

import { useLingui } from '@lingui/react/macro';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Children, type ReactNode, useRef, useState } from 'react';
import { classes } from './classes';
import { IconButton } from './icon-button';

const widths = {
  /** Small cards, several in sight. */
  small: 'w-36',
  medium: 'w-60 max-w-[80vw]',
  /** One and the edge of the next on a phone, three on desktop. */
  banner: 'w-[85%] desktop:w-[calc((100%-2rem)/3)]',
};

interface ScrollRowProps {
  /** What the row holds, spoken. */
  label: string;
  itemWidth?: keyof typeof widths;
  children: ReactNode;
}

/** Nearer than this to an end of the row, in CSS pixels, there is nothing more to scroll to. */
const edgeWidth = 8;

/** A row that scrolls sideways and stops at its items; two buttons do the same where there is a mouse. */
export function ScrollRow({ label, itemWidth = 'small', children }: ScrollRowProps) {
  const { t } = useLingui();
  const row = useRef<HTMLUListElement>(null);
  const [edge, setEdge] = useState<'start' | 'end' | null>('start');
  const lookWhere = (list: HTMLElement) => {
    const left = Math.abs(list.scrollLeft);
    if (left < edgeWidth) setEdge('start');
    else setEdge(left > list.scrollWidth - list.clientWidth - edgeWidth ? 'end' : null);
  };
  const scroll = (direction: 1 | -1) => {
    const list = row.current;
    list?.scrollBy({ left: direction * list.clientWidth * 0.8, behavior: 'smooth' });
  };
  return (
    <section aria-label={label} className="group/row relative min-w-0">
      <ul
        ref={row}
        onScroll={(event) => lookWhere(event.currentTarget)}
        // A row that scrolls has to be reachable by keyboard even where its items are not.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        className="flex snap-x snap-mandatory scroll-px-4 gap-4 overflow-x-auto overscroll-x-contain px-4 py-1 bare-scrollbar desktop:scroll-px-0 desktop:px-0"
      >
        {Children.map(children, (child) => (
          <li className={classes('shrink-0 snap-start', widths[itemWidth])}>{child}</li>
        ))}
      </ul>
      <span className="pointer-events-none absolute inset-x-0 top-1/2 hidden -translate-y-1/2 justify-between opacity-0 transition-opacity duration-(--motion) group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-fine:flex">
        <span className={edge === 'start' ? 'invisible' : 'pointer-events-auto'}>
          <IconButton
            icon={ChevronLeft}
            label={t`Back`}
            look="floating"
            onClick={() => scroll(-1)}
          />
        </span>
        <span className={edge === 'end' ? 'invisible' : 'pointer-events-auto'}>
          <IconButton
            icon={ChevronRight}
            label={t`Forward`}
            look="floating"
            onClick={() => scroll(1)}
          />
        </span>
      </span>
    </section>
  );
}

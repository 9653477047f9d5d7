import { useLingui } from '@lingui/react/macro';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { classes } from './classes';
import { IconButton } from './icon-button';

interface ScrollArrowsProps {
  /**
   * The scrolling element. It stands before the arrows, in an element with the classes `group/row` and
   * `relative`.
   */
  row: RefObject<HTMLElement | null>;
  /** Whether the buttons show always or only while the pointer or the focus is in the row. */
  shown?: 'pointed' | 'always';
}

/** The part of a row's width that one press scrolls by. */
const partScrolled = 0.8;

/** Two buttons that scroll a row, each shown while the row goes on at its side. Touch screens show none. */
export function ScrollArrows({ row, shown = 'pointed' }: ScrollArrowsProps) {
  const { t } = useLingui();
  const more = useMore(row);
  const scroll = (direction: 1 | -1) => {
    const list = row.current;
    list?.scrollBy({ left: direction * list.clientWidth * partScrolled, behavior: 'smooth' });
  };
  return (
    <span
      className={classes(
        'pointer-events-none absolute inset-x-0 top-1/2 hidden transform-[translateY(-50%)] justify-between pointer-fine:flex',
        shown === 'pointed' &&
          'opacity-0 transition-opacity duration-(--motion) group-focus-within/row:opacity-100 group-hover/row:opacity-100',
      )}
    >
      <span className={more.before ? 'pointer-events-auto' : 'invisible'}>
        <IconButton
          icon={ChevronLeft}
          label={t({ id: 'common.back', message: 'Back' })}
          look="floating"
          onClick={() => scroll(-1)}
        />
      </span>
      <span className={more.after ? 'pointer-events-auto' : 'invisible'}>
        <IconButton
          icon={ChevronRight}
          label={t({ id: 'ui.scroll-arrows.forward', message: 'Forward' })}
          look="floating"
          onClick={() => scroll(1)}
        />
      </span>
    </span>
  );
}

/** A row that is nearer than this to its end counts as scrolled to the end, in CSS pixels. */
const edgeWidth = 8;

/** Returns whether a row can be scrolled further to each side; false until it has hydrated. */
function useMore(row: RefObject<HTMLElement | null>) {
  const [before, setBefore] = useState(false);
  const [after, setAfter] = useState(false);
  useEffect(() => {
    const list = row.current;
    if (!list) return;
    const update = () => {
      // Negative in a page that is written from right to left.
      const passed = Math.abs(list.scrollLeft);
      setBefore(passed >= edgeWidth);
      setAfter(passed < list.scrollWidth - list.clientWidth - edgeWidth);
    };
    // Fonts and pictures change the sizes too when they load, not only the window.
    const sizes = new ResizeObserver(update);
    sizes.observe(list);
    for (const item of list.children) sizes.observe(item);
    list.addEventListener('scroll', update, { passive: true });
    return () => {
      sizes.disconnect();
      list.removeEventListener('scroll', update);
    };
  }, [row]);
  return { before, after };
}

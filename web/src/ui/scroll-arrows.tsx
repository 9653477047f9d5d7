import { useLingui } from '@lingui/react/macro';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { classes } from './classes';
import { IconButton } from './icon-button';

interface ScrollArrowsProps {
  /** What scrolls sideways. It is before the arrows, in a `group/row` that is `relative`. */
  row: RefObject<HTMLElement | null>;
  /** `always`: whenever there is more to scroll to; otherwise only while the pointer is over the row. */
  shown?: 'pointed' | 'always';
}

/** The part of a row's width that one press scrolls by. */
const partScrolled = 0.8;

/** Two buttons that scroll a row, each shown while there is more on its side. Touch screens have none. */
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

/** Nearer than this to an end of the row, in CSS pixels, there is nothing more to scroll to. */
const edgeWidth = 8;

/** Returns on which sides a row can be scrolled further; on none until it has hydrated. */
function useMore(row: RefObject<HTMLElement | null>) {
  const [before, setBefore] = useState(false);
  const [after, setAfter] = useState(false);
  useEffect(() => {
    const list = row.current;
    if (!list) return;
    const update = () => {
      const passed = Math.abs(list.scrollLeft);
      setBefore(passed >= edgeWidth);
      setAfter(passed < list.scrollWidth - list.clientWidth - edgeWidth);
    };
    // The fonts of the page and its pictures change what fits as well as the window does.
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

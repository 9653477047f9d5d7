import { type RefObject, useEffect, useState } from 'react';

/**
 * How far from the view an element is near, also inside of what scrolls: in view until the visitor first scrolls, so
 * that the first view has the network to itself; afterwards farther than browsers begin to lay out what is drawn near
 * (a screen and a half), so that they lay it out once.
 */
const margins = { beforeScroll: '0px', afterScroll: '1600px' };

/** What is drawn near has no boxes inside until it is laid out: its own box is watched in place of those. */
const drawnNear = '.drawn-near';

const waiting = new Map<Element, Set<() => void>>();

let observer: IntersectionObserver | undefined;

/** Observes all that waits, with another margin than before. */
function observeWithin(margin: string) {
  observer?.disconnect();
  // Browsers without `scrollMargin` count an element inside of a row only once it is in the row's view.
  const options = { rootMargin: margin, scrollMargin: margin };
  observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) for (const come of waiting.get(target) ?? []) come();
    }
  }, options);
  for (const element of waiting.keys()) observer.observe(element);
}

/** Begins to observe, with the wide margin from the first scroll on. */
function begin() {
  observeWithin(margins.beforeScroll);
  const onScroll = () => observeWithin(margins.afterScroll);
  addEventListener('scroll', onScroll, { once: true, capture: true, passive: true });
}

/** Reports whether the element has come near the view. Once near, it stays so. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const watched = element.current?.closest(drawnNear) ?? element.current;
    if (isNear || !watched) return;
    if (!observer) begin();
    const come = () => setNear(true);
    const others = waiting.get(watched) ?? new Set();
    waiting.set(watched, others.add(come));
    observer?.observe(watched);
    return () => {
      others.delete(come);
      if (others.size > 0) return;
      waiting.delete(watched);
      observer?.unobserve(watched);
    };
  }, [element, isNear]);
  return isNear;
}

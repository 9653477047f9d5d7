import { type RefObject, useEffect, useState } from 'react';

/**
 * How far from the view an element is near, also inside of what scrolls: in view until the visitor first scrolls, so
 * that the first view has the network to itself.
 */
const margins = { beforeScroll: '0px', afterScroll: '1250px' };

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Observes all that waits, with another margin than before. */
function observeWithin(margin: string) {
  observer?.disconnect();
  // Browsers without `scrollMargin` count an element inside of a row only once it is in the row's view.
  const options = { rootMargin: margin, scrollMargin: margin };
  observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
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
    const watched = element.current;
    if (isNear || !watched) return;
    if (!observer) begin();
    waiting.set(watched, () => setNear(true));
    observer?.observe(watched);
    return () => {
      waiting.delete(watched);
      observer?.unobserve(watched);
    };
  }, [element, isNear]);
  return isNear;
}

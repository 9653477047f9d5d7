import { type RefObject, useEffect } from 'react';

const property = '--order-bar-height';

/**
 * Sets the height of the bar with the order button on the page, so that what floats at the end of a phone's window
 * stays above it. Without a bar that sticks to the window the property is absent.
 */
export function useOrderBarHeight(bar: RefObject<HTMLElement | null>, isSticky: boolean): void {
  useEffect(() => {
    const element = bar.current;
    if (!element || !isSticky) return;
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() =>
      style.setProperty(property, `${element.offsetHeight}px`),
    );
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      style.removeProperty(property);
    };
  }, [bar, isSticky]);
}

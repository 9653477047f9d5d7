import { type RefObject, useEffect } from 'react';

/**
 * Sets the height of a bar at the end of the window as a property of the page's styles, so that what floats there
 * stays above it. The property is absent while the bar is off.
 */
export function useHeightProperty(
  bar: RefObject<HTMLElement | null>,
  property: `--${string}`,
  isOn = true,
): void {
  useEffect(() => {
    const element = bar.current;
    if (!element || !isOn) return;
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() =>
      style.setProperty(property, `${element.offsetHeight}px`),
    );
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      style.removeProperty(property);
    };
  }, [bar, property, isOn]);
}

import { type RefObject, useState } from 'react';

/**
 * Returns the function for Base UI's `finalFocus`, which decides on the focus when a sheet closes: true for the
 * opener, which Base UI focuses itself; the last button near a gone opener, such as the counter that has
 * replaced it; false to leave the focus where it is.
 */
export function useReturnFocus(popup: RefObject<HTMLElement | null>) {
  const [trail] = useState(trailOfFocus);
  return (): HTMLElement | boolean => {
    const { activeElement } = document;
    const isElsewhere = activeElement !== document.body && !popup.current?.contains(activeElement);
    // The focus has been moved already, for example to a new page.
    if (activeElement && popup.current && isElsewhere) return false;
    const [opener] = trail;
    if (!opener || opener.isConnected) return true;
    const near = trail.find((element) => element.isConnected);
    return [...(near?.querySelectorAll('button') ?? [])].at(-1) ?? true;
  };
}

/** How many elements are searched for a replacement: the opener and its ancestors. */
const trailLength = 4;

/** Returns the focused element and its ancestors, `trailLength` at most, the nearest first. */
function trailOfFocus(): HTMLElement[] {
  const trail: HTMLElement[] = [];
  let element = document.activeElement;
  while (
    element instanceof HTMLElement &&
    element !== document.body &&
    trail.length < trailLength
  ) {
    trail.push(element);
    element = element.parentElement;
  }
  return trail;
}

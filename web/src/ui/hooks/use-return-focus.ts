import { type RefObject, useState } from 'react';

/**
 * Moves the focus, when a sheet closes, to what opened it, or to what has replaced that (a price button
 * that became a counter). Returns a function for Base UI's `finalFocus`: an element to focus,
 * true for its own choice, false to leave the focus where it is.
 */
export function useReturnFocus(popup: RefObject<HTMLElement | null>) {
  const [trail] = useState(trailOfFocus);
  return (): HTMLElement | boolean => {
    const { activeElement } = document;
    const isElsewhere = activeElement !== document.body && !popup.current?.contains(activeElement);
    // The focus has been moved already, to a new page for example.
    if (activeElement && popup.current && isElsewhere) return false;
    const [opener] = trail;
    if (!opener || opener.isConnected) return true;
    const near = trail.find((element) => element.isConnected);
    return [...(near?.querySelectorAll('button') ?? [])].at(-1) ?? true;
  };
}

/** In how many elements, the opener and those around it, a replacement is looked for. */
const trailLength = 4;

/** Returns the element that has the focus and those around it, nearest first. */
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

import { type RefObject, useState } from 'react';

/**
 * Returns the function for Base UI's `finalFocus`, which decides on the focus when a sheet closes: true for the
 * opener, which Base UI focuses itself; what is near a gone opener, such as the counter that has replaced it; false to
 * leave the focus where it is. An opener that goes soon afterwards, as a deleted address, leaves the focus near it too.
 */
export function useReturnFocus(popup: RefObject<HTMLElement | null>) {
  const [trail] = useState(trailOfFocus);
  return (): HTMLElement | boolean => {
    const { activeElement } = document;
    const isElsewhere = activeElement !== document.body && !popup.current?.contains(activeElement);
    // The focus has been moved already, for example to a new page.
    if (activeElement && popup.current && isElsewhere) return false;
    const [opener] = trail;
    if (opener && !opener.isConnected) return nearOpener(trail) ?? true;
    if (opener) keepFocusNear(opener, trail);
    return true;
  };
}

/** How many elements are searched for a replacement: the opener and its ancestors. */
const trailLength = 5;

/** How long an opener may wait for the answer that removes it, in milliseconds. */
const answerTime = 10_000;

/**
 * Returns the button or link that has replaced an opener, or else the last button near it, or a heading there that can
 * have the focus.
 */
function nearOpener(trail: readonly HTMLElement[]): HTMLElement | undefined {
  const [, parent] = trail;
  const replacement = parent?.isConnected ? lastIn(parent, 'button, a[href]') : undefined;
  if (replacement) return replacement;
  const near = trail.filter((element) => element.isConnected);
  for (const selector of ['button', '[tabindex="-1"]']) {
    for (const element of near) {
      const last = lastIn(element, selector);
      if (last) return last;
    }
  }
  return undefined;
}

/** Returns the last element of a part of the page that the selector matches. */
const lastIn = (part: HTMLElement, selector: string): HTMLElement | undefined =>
  [...part.querySelectorAll<HTMLElement>(selector)].at(-1);

/** Moves the focus near the opener when that is removed together with the focus, within `answerTime`. */
function keepFocusNear(opener: HTMLElement, trail: readonly HTMLElement[]): void {
  const observer = new MutationObserver(() => {
    if (opener.isConnected) return;
    observer.disconnect();
    if (document.activeElement === document.body) nearOpener(trail)?.focus();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), answerTime);
}

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

import { flashes } from '@/ui/flash/flash-store';

/** The region of the flash messages, and what is in it. */
const region = '[data-flashes]';

/**
 * Returns the focus of the keyboard when it goes with a flash message: to where it was before, or, when that is gone
 * too, by `focusContent`. Returns the function that ends it.
 */
export function returnFlashFocus(focusContent: () => void): () => void {
  let before: HTMLElement | undefined;
  const note = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && !target.closest(region)) before = target;
  };
  const returnFocus = () => {
    // What the button of the message did may have moved the focus.
    if (document.activeElement !== document.body) return;
    before?.focus({ preventScroll: true });
    if (document.activeElement === document.body) focusContent();
  };
  const stopListening = flashes.subscribe(() => {
    const { activeElement } = document;
    const shown = activeElement?.closest(region);
    // After a touch, a field that gets the focus would open the keyboard again.
    if (!shown || !activeElement?.matches(':focus-visible')) return;
    const observer = new MutationObserver(() => {
      observer.disconnect();
      returnFocus();
    });
    observer.observe(shown, { childList: true });
  });
  addEventListener('focusin', note);
  return () => {
    removeEventListener('focusin', note);
    stopListening();
  };
}

/** Marks the heading of the cart, which takes the focus when the last line is removed. */
export const cartHeadingMark = { 'data-cart-heading': '', tabIndex: -1 };

/** Marks the button that removes a line. */
export const removeButtonMark = { 'data-remove-line': '' };

/**
 * Moves the focus out of a line that is about to be removed: from its remove button to that of the next line, or of
 * the line before; from its counter to the first button there, so that a key held down does not remove more. Without
 * another line the heading of the cart takes the focus. A focus outside the line stays.
 */
export function leaveLine(line: HTMLElement): void {
  const focused = document.activeElement;
  if (!focused || !line.contains(focused)) return;
  const isRemoveButton = focused.hasAttribute('data-remove-line');
  const selector = isRemoveButton ? '[data-remove-line]' : 'button';
  const neighbour = line.nextElementSibling ?? line.previousElementSibling;
  const next =
    neighbour?.querySelector<HTMLElement>(selector) ??
    [...document.querySelectorAll<HTMLElement>('[data-cart-heading]')].at(-1);
  next?.focus();
}

/** Marks the element that has the order button and the reason why it cannot be pressed. */
export const orderStepMark = { 'data-order-step': '', tabIndex: -1 };

/** Moves the focus to the order button in sight, or to the reason why it cannot be pressed. */
export function focusOrderStep(): void {
  const steps = [...document.querySelectorAll<HTMLElement>('[data-order-step]')];
  // A phone and a desktop have their own button; one of them is hidden.
  const step = steps.find((one) => one.getClientRects().length > 0) ?? steps[0];
  const children = [...(step?.children ?? [])];
  const button = children.find(
    (one): one is HTMLButtonElement => one instanceof HTMLButtonElement && !one.disabled,
  );
  (button ?? step)?.focus();
}

const focusable = 'input, textarea, button, a[href], [tabindex]';

/** Moves the focus to the first problem of the form and scrolls to it. */
export function focusFirstProblem(form: HTMLElement): void {
  const problem = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-problem]');
  const target = problem?.matches(focusable)
    ? problem
    : problem?.querySelector<HTMLElement>(focusable);
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: 'center' });
}

const fields = 'input:not([type="radio"]):not([type="checkbox"]):not([data-own-enter])';

/**
 * Moves the focus from a field to the next visible one; after the last field it removes the focus, which closes
 * the keyboard.
 */
export function focusNextField(form: HTMLElement, field: HTMLElement): void {
  const visibleFields = [...form.querySelectorAll<HTMLElement>(`${fields}, textarea`)].filter(
    (one) => one.offsetParent !== null,
  );
  const next = visibleFields[visibleFields.indexOf(field) + 1];
  if (next) next.focus();
  else field.blur();
}

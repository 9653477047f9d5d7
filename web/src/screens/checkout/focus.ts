const focusable = 'input, textarea, button, a[href], [tabindex]';

/** Moves the focus to the first thing in the form that is wrong. */
export function focusFirstProblem(form: HTMLElement): void {
  const problem = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-problem]');
  const target = problem?.matches(focusable)
    ? problem
    : problem?.querySelector<HTMLElement>(focusable);
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: 'center' });
}

const fields = 'input:not([type="radio"]):not([type="checkbox"]):not([data-own-enter])';

/** Moves the focus from a field to the next one, on the last it closes the keyboard: Enter must not place an order by accident. */
export function focusNextField(form: HTMLElement, field: HTMLElement): void {
  const all = [...form.querySelectorAll<HTMLElement>(`${fields}, textarea`)].filter(
    (one) => one.offsetParent !== null,
  );
  const next = all[all.indexOf(field) + 1];
  if (next) next.focus();
  else field.blur();
}

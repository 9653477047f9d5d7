import type { AnalyticsEvent } from './events';

/** How long a field must stay unchanged before it is reported, in milliseconds. */
const debounceMs = 1000;

/** The fields that are reported, by their names in the document. */
const fields: Readonly<Record<string, 'promocode' | 'comment'>> = {
  promocode: 'promocode',
  comment: 'comment',
};

/**
 * Reports, debounced, that a promocode or a comment was typed, without its text. Returns a function that ends
 * this.
 */
export function watchFields(report: (event: AnalyticsEvent) => void): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const reportLater = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const kind = fields[target.name];
    if (!kind) return;
    clearTimeout(timers.get(kind));
    timers.set(
      kind,
      setTimeout(() => report({ kind }), debounceMs),
    );
  };
  document.addEventListener('input', reportLater);
  return () => {
    document.removeEventListener('input', reportLater);
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

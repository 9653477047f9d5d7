let hydration = Promise.resolve();
let finish = () => {};

/** Begins hydration: `hydrated` resolves at `finishHydration`. Must be called before a document is hydrated. */
export function beginHydration(): void {
  hydration = new Promise((resolve) => {
    finish = resolve;
  });
}

/** Ends hydration. Must be called when the last part of the document has hydrated, or has failed to. */
export function finishHydration(): void {
  finish();
}

/**
 * Resolves when the whole document has hydrated, at once when nothing hydrates. Until then the texts must
 * be those of the document, because React renders again whatever differs.
 */
export const hydrated = (): Promise<void> => hydration;

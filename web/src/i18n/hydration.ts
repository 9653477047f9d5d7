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
 * Resolves when all that the server rendered has hydrated, at once where nothing hydrates. Until then
 * texts must be those of the document: React renders again in the browser what differs.
 */
export const hydrated = (): Promise<void> => hydration;

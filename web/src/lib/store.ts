/** A value that lives outside of React and tells its listeners when it is replaced. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  /** Returns how to stop listening. */
  subscribe(listener: () => void): () => void;
}

/** Makes a store; setting the very same value tells nobody. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

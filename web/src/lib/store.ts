/** A value that lives outside of React and calls its listeners when it is replaced. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  /** Returns the function that stops listening. */
  subscribe(listener: () => void): () => void;
}

/** Returns a store. Setting the same value again calls no listener. */
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

/** Values by key. Each is loaded at its first read and kept in memory. */
export interface KeyedStore<Key, T> {
  get(key: Key): T;
  set(key: Key, next: T): void;
  /** Returns the function that stops listening. */
  subscribe(listener: () => void): () => void;
  /** Removes all values from memory, as a reload does. */
  clear(): void;
}

/** Returns a store that calls `load` at the first read of a key. */
export function createKeyedStore<Key, T>(load: (key: Key) => T): KeyedStore<Key, T> {
  const versions = createStore(0);
  const loaded = new Map<Key, T>();
  const changed = () => versions.set(versions.get() + 1);
  return {
    get(key) {
      if (!loaded.has(key)) loaded.set(key, load(key));
      return loaded.get(key) as T;
    },
    set(key, next) {
      loaded.set(key, next);
      changed();
    },
    subscribe: versions.subscribe,
    clear() {
      loaded.clear();
      changed();
    },
  };
}

import type { QueryClient } from '@tanstack/react-query';

/** How old data may be that is shown to a visitor who comes back to the page, in milliseconds. */
const longestAway = 10 * 60_000;

/**
 * Loads what is on the screen again when a visitor comes back to the page, as to a phone's tab on the next day, and it
 * is older than `longestAway`. Returns a function that ends this.
 */
export function refreshOnReturn(client: QueryClient): () => void {
  const refresh = () => {
    if (document.hidden) return;
    const isOld = ({ state: { data, dataUpdatedAt } }: { state: Loaded }) =>
      data !== undefined && Date.now() - dataUpdatedAt > longestAway;
    void client.refetchQueries({ type: 'active', predicate: isOld }, { cancelRefetch: false });
  };
  document.addEventListener('visibilitychange', refresh);
  return () => document.removeEventListener('visibilitychange', refresh);
}

/** The part of a query's state that says how old its data is. */
interface Loaded {
  data: unknown;
  dataUpdatedAt: number;
}

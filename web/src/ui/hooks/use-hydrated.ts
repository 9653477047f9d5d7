import { useSyncExternalStore } from 'react';

/**
 * Reports whether the component has hydrated. The server's document is the same for everybody: what
 * belongs to the device or the visitor's session may be shown only after hydration.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );

const subscribeToNothing = () => () => undefined;

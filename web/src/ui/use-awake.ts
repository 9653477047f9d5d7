import { useSyncExternalStore } from 'react';

/**
 * False while the page wakes up from the server's document, which is the same for everybody: what the
 * device or the visitor's session knows may be shown only after that.
 */
export const useAwake = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

const never = () => () => undefined;

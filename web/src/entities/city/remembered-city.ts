import { useEffect, useSyncExternalStore } from 'react';
import { readCookie, setCookie } from '@/lib/storage';

const cookieName = 'city_alias';

/** Stores the city in a cookie for the next visit. */
export function useRememberedCity(alias: string): void {
  useEffect(() => setCookie(cookieName, alias), [alias]);
}

/** Returns the alias of the city of the last visit, null when there was none; known after hydration only. */
export function useLastCity(): string | null {
  return useSyncExternalStore(subscribeToNothing, readLastCity, () => null);
}

/** Subscribes to nothing: the cookie does not change while a page is shown. */
const subscribeToNothing = () => () => undefined;

/** Reads the alias of the city of the last visit from its cookie; null when there was none. */
export const readLastCity = (): string | null => readCookie(cookieName) ?? null;

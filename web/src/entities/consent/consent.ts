import { useSyncExternalStore } from 'react';
import { readCookie, setCookie } from '@/lib/storage';
import { createStore } from '@/lib/store';

/** The cookies that a visitor may allow; those that an order needs are always allowed. */
export const consentCategories = ['analytics', 'marketing'] as const;

export type ConsentCategory = (typeof consentCategories)[number];

/** The categories that the visitor allows; undefined until they have chosen. */
export type Consent = Readonly<Record<ConsentCategory, boolean>> | undefined;

/** Kept for 256 days, as `necessary` or `necessary.analytics.marketing`. */
const cookieName = 'cookie_consent';

/** Returns the choice in the cookie's text; undefined when there is none. */
export function parseConsent(text: string | undefined): Consent {
  const [first, ...allowed] = (text ?? '').split('.');
  if (first !== 'necessary') return undefined;
  return { analytics: allowed.includes('analytics'), marketing: allowed.includes('marketing') };
}

/** Returns the cookie's text for a choice. */
export function formatConsent(consent: NonNullable<Consent>): string {
  return ['necessary', ...consentCategories.filter((category) => consent[category])].join('.');
}

const consents = createStore<Consent>(undefined);
let isRead = false;

/** Returns what the visitor allows. */
export function readConsent(): Consent {
  if (!isRead) {
    isRead = true;
    consents.set(parseConsent(readCookie(cookieName)));
  }
  return consents.get();
}

/** Stores a choice and calls its listeners. */
export function chooseConsent(consent: NonNullable<Consent>): void {
  isRead = true;
  setCookie(cookieName, formatConsent(consent));
  consents.set(consent);
}

/** Calls the listener at each choice; returns a function that ends this. */
export const followConsent = consents.subscribe;

/** Returns what the visitor allows; undefined on the server too. */
export function useConsent(): Consent {
  return useSyncExternalStore(consents.subscribe, readConsent, () => undefined);
}

/** Makes the next reader read the cookie again, as after a reload; the cookie stays. For tests. */
export function resetConsent(): void {
  isRead = false;
  consents.set(undefined);
}

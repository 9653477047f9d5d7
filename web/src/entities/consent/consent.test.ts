import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  chooseConsent,
  followConsent,
  formatConsent,
  parseConsent,
  readConsent,
  resetConsent,
} from './consent';

afterEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie of the test is taken away
  document.cookie = 'cookie_consent=; Path=/; Max-Age=0';
  resetConsent();
});

describe('consent', () => {
  it('is written and read by category', () => {
    expect(parseConsent('necessary')).toEqual({ analytics: false, marketing: false });
    expect(parseConsent('necessary.marketing')).toEqual({ analytics: false, marketing: true });
    for (const analytics of [true, false]) {
      for (const marketing of [true, false]) {
        expect(parseConsent(formatConsent({ analytics, marketing }))).toEqual({
          analytics,
          marketing,
        });
      }
    }
  });

  it('is none in a cookie that holds something else', () => {
    for (const text of [undefined, '', 'true', 'analytics', '1.analytics']) {
      expect(parseConsent(text)).toBeUndefined();
    }
  });

  it('is kept for 256 days, and those who follow it are called', () => {
    const written = vi.spyOn(document, 'cookie', 'set');
    const listener = vi.fn();
    const stop = followConsent(listener);
    expect(readConsent()).toBeUndefined();
    chooseConsent({ analytics: true, marketing: false });
    expect(listener).toHaveBeenCalledOnce();
    expect(written.mock.calls[0]?.[0]).toMatch(
      /^cookie_consent=necessary\.analytics; Path=\/; Max-Age=22118400; SameSite=Lax/,
    );
    stop();
    resetConsent();
    expect(readConsent()).toEqual({ analytics: true, marketing: false });
  });
});

import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useNearEnd } from './use-near-end';

afterEach(() => vi.unstubAllGlobals());

/** Scrolls a page of `height` pixels, on a screen of 800 pixels, to `top`. */
function scrollTo(top: number, height = 5000) {
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(height);
  vi.stubGlobal('innerHeight', 800);
  vi.stubGlobal('scrollY', top);
  act(() => void dispatchEvent(new Event('scroll')));
}

it('is near the end in the last 400 pixels, and no longer once the visitor scrolls back', () => {
  const { result } = renderHook(useNearEnd);
  const seen = [0, 3000, 3900, 4200, 3000].map((top) => {
    scrollTo(top);
    return result.current;
  });
  expect(seen).toEqual([false, false, true, true, false]);
});

it('is never near the end of a page that fits two screens', () => {
  const { result } = renderHook(useNearEnd);
  scrollTo(700, 1500);
  expect(result.current).toBe(false);
});

import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import LateParts from '@/app/companions/late-parts';
import { chooseConsent, readConsent, resetConsent } from '@/entities/consent/consent';
import { renderInCity } from '@/testing/render';

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  vi.useRealTimers();
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie of the test is taken away
  document.cookie = 'cookie_consent=; Path=/; Max-Age=0';
  resetConsent();
});

const notice = () => screen.queryByRole('region', { name: 'Your choice of cookies' });
const page = (
  <>
    <LateParts inCity />
    <main id="content" tabIndex={-1} />
  </>
);

async function openNotice() {
  const rendered = renderInCity(page);
  await vi.advanceTimersByTimeAsync(2000);
  await waitFor(() => expect(notice()).toBeTruthy());
  return rendered;
}

describe('the cookie notice', () => {
  it('comes after two seconds and not before', async () => {
    renderInCity(page);
    await vi.advanceTimersByTimeAsync(1900);
    expect(notice()).toBeNull();
    await vi.advanceTimersByTimeAsync(200);
    await waitFor(() => expect(notice()).toBeTruthy());
  });

  it('does not come to visitors who have chosen', async () => {
    chooseConsent({ analytics: false, marketing: false });
    renderInCity(page);
    await vi.advanceTimersByTimeAsync(5000);
    expect(notice()).toBeNull();
  });

  it('offers to accept and to reject with buttons that look the same', async () => {
    await openNotice();
    const [reject, accept] = ['Reject all', 'Accept all'].map((name) =>
      screen.getByRole('button', { name }),
    );
    expect(reject?.className).toBe(accept?.className);
  });

  it.each([
    ['Reject all', false],
    ['Accept all', true],
  ])(
    'goes after "%s", keeps the choice and moves the focus to the page',
    async (name, isAllowed) => {
      const { user } = await openNotice();
      await user.click(screen.getByRole('button', { name }));
      expect(notice()).toBeNull();
      expect(readConsent()).toEqual({ analytics: isAllowed, marketing: isAllowed });
      expect(document.activeElement?.id).toBe('content');
    },
  );

  it('leads to the choice by category, where nothing is ticked beforehand', async () => {
    const { user } = await openNotice();
    await user.click(screen.getByRole('button', { name: 'Choose one by one' }));
    const analytics = await screen.findByRole('checkbox', { name: /^Analytics/ });
    expect(analytics).toHaveProperty('checked', false);
    expect(screen.getByRole('checkbox', { name: /^Marketing/ })).toHaveProperty('checked', false);
    expect(screen.getByRole('checkbox', { name: /^Necessary/ })).toHaveProperty('disabled', true);
    await user.click(analytics);
    await user.click(screen.getByRole('button', { name: 'Save the choice' }));
    expect(readConsent()).toEqual({ analytics: true, marketing: false });
    await waitFor(() => expect(notice()).toBeNull());
  });
});

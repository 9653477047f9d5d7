import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeNext } from '@/testing/payments';
import { renderInCity } from '@/testing/render';
import { SbpPayment } from './sbp';
import type { Paying } from './use-payment';

const code = 'https://qr.example/1';
const fallback = 'Open the bank’s app';

/** Shows a try by SBP whose code is that high, in pixels. */
async function show(height: number) {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, 256, height),
  );
  const next = makeNext('sbp-mobile', { qr_code: code, payment_link: code });
  const paying: Pick<Paying, 'pay'> = { pay: vi.fn() };
  renderInCity(<SbpPayment next={next} paying={paying as Paying} />);
  await screen.findByRole('img', { name: 'QR code for your bank’s app' });
}

const wait = (time: number) => act(() => vi.advanceTimersByTime(time));
const button = () => screen.queryByRole('link', { name: fallback });

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true }),
);
afterEach(() => vi.useRealTimers());

it('gives a button in place of a code that is not to be seen after five seconds', async () => {
  await show(49);
  wait(1000);
  expect(button()).toBeNull();
  wait(4000);
  expect(button()?.getAttribute('href')).toBe(code);
});

it('gives no button beside a code that is high enough', async () => {
  await show(50);
  wait(60_000);
  expect(button()).toBeNull();
});

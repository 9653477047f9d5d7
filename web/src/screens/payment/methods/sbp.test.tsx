import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeNext } from '@/testing/payments';
import { renderInCity } from '@/testing/render';
import type { Paying } from '../use-payment';
import { SbpPayment } from './sbp';

const code = 'https://qr.example/1';
const fallback = 'Open the bank’s app';

/** Renders a payment attempt by SBP whose code has `height` visible pixels. */
async function renderSbp(height: number) {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, 256, height),
  );
  const next = makeNext('sbp-mobile', { qr_code: code, payment_link: code });
  const paying: Pick<Paying, 'pay'> = { pay: vi.fn() };
  renderInCity(<SbpPayment next={next} paying={paying as Paying} />);
  await screen.findByRole('img', { name: 'QR code for your bank’s app' });
}

const advanceTime = (time: number) => act(() => vi.advanceTimersByTime(time));
const button = () => screen.queryByRole('link', { name: fallback });

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true }),
);
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/**
 * Simulates a browser from before 2023 on a device: media queries with ranges, which it does not support, never
 * match.
 */
function browseOn({ width, isTouched }: { width: number; isTouched: boolean }) {
  vi.stubGlobal('matchMedia', (query: string) => {
    const known = /^\((?:(pointer): (coarse|fine)|(max-width|min-width): ([\d.]+)px)\)$/.exec(
      query,
    );
    const [, pointer, kind, bound, pixels] = known ?? [];
    const isPointer = pointer !== undefined && (kind === 'coarse') === isTouched;
    const fits = bound === 'max-width' ? width <= Number(pixels) : width >= Number(pixels);
    return { matches: isPointer || (bound !== undefined && fits) };
  });
}

it('shows a button in place of a code that is out of sight after five seconds', async () => {
  await renderSbp(49);
  advanceTime(4000);
  expect(button()).toBeNull();
  advanceTime(1000);
  expect(button()?.getAttribute('href')).toBe(code);
});

it('shows no button beside a code that is high enough', async () => {
  await renderSbp(50);
  advanceTime(60_000);
  expect(button()).toBeNull();
});

describe('in a browser that does not support ranges in media queries', () => {
  it('a phone is offered the bank’s app and not asked to scan its own screen', async () => {
    browseOn({ width: 390, isTouched: true });
    await renderSbp(256);
    expect(button()?.getAttribute('href')).toBe(code);
    expect(screen.queryByText(/Scan the code/)).toBeNull();
  });

  it('a tablet has the code and the bank’s app below it', async () => {
    browseOn({ width: 1180, isTouched: true });
    await renderSbp(256);
    expect(screen.getByText(/Scan the code/)).toBeTruthy();
    expect(button()?.getAttribute('href')).toBe(code);
  });

  it('a narrow window of a desktop has the code alone', async () => {
    browseOn({ width: 390, isTouched: false });
    await renderSbp(256);
    expect(screen.getByText(/Scan the code/)).toBeTruthy();
    expect(button()).toBeNull();
  });
});

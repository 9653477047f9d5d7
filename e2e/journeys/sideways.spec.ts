import type { Locator, Page } from '@playwright/test';
import { Caller } from '../harness/caller.ts';
import { focusFaults } from '../harness/focus.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';
import { Tour } from '../harness/tour/tour.ts';

/** A phone held sideways, whose camera takes a strip of each side. */
const width = 844;
const strip = 47;

test.use({ viewport: { width, height: 390 }, isMobile: true, hasTouch: true, brand: 'pizza' });

/** Makes the page as one on a phone with a camera beside it. */
async function addCamera(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: strip, right: strip } });
}

/** Returns the texts and controls of a part of the page that reach into the strips of the camera. */
const inStrips = (part: Locator) =>
  part.evaluate(
    (element, [from, to]) =>
      [...element.querySelectorAll('a, button, input, h1, h2, h3, p, dd, dt, label')].flatMap((one) => {
        const { left, right, top, bottom, height } = one.getBoundingClientRect();
        const isShown = height > 1 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
        const isClear = left >= from && right <= to;
        // What scrolls sideways may reach into them.
        const isLeftOut = one.closest('.sr-only, [class*=overflow-x-auto], .leaflet-container') !== null;
        return isShown && !isClear && !isLeftOut ? [one.outerHTML.slice(0, 120)] : [];
      }),
    [strip, width - strip] as const,
  );

test('on a phone held sideways, the camera covers nothing that is read or pressed', async ({ page, say, program }) => {
  const tour = await Tour.begin({ page, brand: 'pizza', say, caller: new Caller(program, 'pizza', 'ru') });
  await addCamera(page);
  const body = page.locator('body');

  for (const path of ['', '/cart', '/cart?step=2', '/profile', `/order/${tour.active}/tracking`]) {
    await test.step(`the page ${path || '/'}`, async () => {
      await tour.goTo(path);
      expect(await inStrips(body)).toEqual([]);
    });
  }

  for (const modal of ['order-types&order_type=delivery', 'cities', 'intervals', `product&product=${await tour.keyOf(tour.scene.dish)}`]) {
    await test.step(`the dialog ${modal}`, async () => {
      await tour.openByAddress(modal, modal === 'intervals' ? '/cart' : '');
      expect(await inStrips(tour.shop.dialog())).toEqual([]);
    });
  }
});

test('beside the keyboard of a phone held sideways, no bar covers what has the focus', async ({ page, say, program }) => {
  const tour = await Tour.begin({ page, brand: 'pizza', say, caller: new Caller(program, 'pizza', 'ru') });
  // What the keyboard leaves of the window.
  await page.setViewportSize({ width, height: 200 });
  for (const path of ['/cart?step=2', '/profile']) {
    await test.step(path, async () => {
      await tour.goTo(path);
      const faults = await focusFaults(page, 40);
      expect(faults.filter((fault) => /^covered/.test(fault))).toEqual([]);
    });
  }
});

/** Returns how many rows of pixels of the window the bars cover at a share of its width. */
const coveredAt = (page: Page, share: number) =>
  page.evaluate((x) => {
    const isBar = (element: Element | null): boolean =>
      element !== null && (/fixed|sticky/.test(getComputedStyle(element).position) || isBar(element.parentElement));
    return [...Array(innerHeight).keys()].filter((y) => isBar(document.elementFromPoint(x * innerWidth, y))).length;
  }, share);

test('while the menu of a phone held sideways scrolls, its bars leave it most of the window', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await shop.pickUpAt('Покровка');
  await shop.add('Кола');
  await expect(page.getByRole('region', { name: say('Cart') })).toBeInViewport();
  await page.evaluate(() => scrollTo(0, 900));
  for (const share of [0.25, 0.75]) await expect.poll(() => coveredAt(page, share)).toBeLessThan(115);
  const bar = await page.getByRole('region', { name: say('Cart') }).boundingBox();
  const last = await page.getByRole('navigation', { name: say('Main') }).getByRole('link').last().boundingBox();
  expect((last?.x ?? width) + (last?.width ?? width), 'the bar of the cart covers no page').toBeLessThanOrEqual(bar?.x ?? 0);
});

test.describe('the question about cookies', () => {
  test.use({ consent: '' });

  test('covers no field beside the keyboard of a phone held sideways', async ({ page, say, program }) => {
    const tour = await Tour.begin({ page, brand: 'pizza', say, caller: new Caller(program, 'pizza', 'ru') });
    await tour.goTo('/cart?step=2');
    await expect(page.getByRole('button', { name: say('Accept all') })).toBeInViewport();
    // What the keyboard leaves of the window.
    await page.setViewportSize({ width, height: 200 });
    const faults = await focusFaults(page, 40);
    expect(faults.filter((fault) => /^covered/.test(fault))).toEqual([]);
    await expect(page.getByRole('button', { name: say('Accept all') })).not.toBeInViewport();
  });
});

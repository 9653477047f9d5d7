import type { Page } from '@playwright/test';
import { desktop, phone, slowDown } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, openWithBody, test } from '../harness/test.ts';

/** What may move without a press while a page loads, as browsers count it (CLS). */
const mostShift = 0.02;

/** Loads an address, and returns how much moved until nothing was loaded for a second, with what moved. */
async function shiftOf(page: Page, address: string) {
  await page.goto(address);
  return page.evaluate(
    () =>
      new Promise<{ sum: number; moved: string[] }>((resolve) => {
        let sum = 0;
        const moved: string[] = [];
        let quiet = setTimeout(() => resolve({ sum, moved }), 1000);
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
              value: number;
              hadRecentInput: boolean;
              sources: { node?: Element }[];
            };
            if (hadRecentInput) continue;
            sum += value;
            moved.push(...sources.map(({ node }) => `${value.toFixed(3)} ${node?.textContent?.trim().slice(0, 60) ?? ''}`));
          }
        }).observe({ type: 'layout-shift', buffered: true });
        new PerformanceObserver(() => {
          clearTimeout(quiet);
          quiet = setTimeout(() => resolve({ sum, moved }), 1000);
        }).observe({ type: 'resource' });
      }),
  );
}

for (const [device, screen] of Object.entries({ 'a slow phone': phone, 'a desktop': desktop })) {
  test.describe(`on ${device}`, () => {
    test.use(screen);

    test('nothing moves by itself while home, cart and checkout load', async ({ page, say }) => {
      test.setTimeout(120_000);
      const shop = new Storefront(page, say);
      for (const path of ['/moscow', '/moscow/cart']) await openWithBody(page, path);
      await shop.openHome('moscow');
      await shop.pickUpAt('Умико на Новослободской');
      await shop.add('Эдамаме с морской солью');
      if (screen === phone) await slowDown(page);
      for (const address of ['/moscow', '/moscow/cart', '/moscow/cart?step=2', '/moscow/delivery', '/moscow/promotions']) {
        const { sum, moved } = await shiftOf(page, address);
        expect.soft(sum, `${address}\n  ${moved.join('\n  ')}`).toBeLessThanOrEqual(mostShift);
      }
    });
  });
}

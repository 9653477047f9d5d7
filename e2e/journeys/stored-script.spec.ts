import type { Page } from '@playwright/test';
import { fillCart, placeOrder, takeaway } from '../harness/orders.ts';
import { desktop } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test.use({ ...desktop, content: 'hostile' });

const paths = [
  '/',
  '/moscow',
  // Twice: rendered by the browser at first, by the server afterwards.
  '/',
  '/moscow',
  '/moscow/promotions',
  '/moscow/shops',
  '/moscow/delivery',
  '/moscow/cart',
  '/moscow/cart?step=2',
  '/moscow?modal=allergens',
  '/moscow?modal=cities',
  '/moscow?modal=search',
  '/moscow?modal=order-types&order_type=takeaway',
  '/moscow?modal=product&product=filadelfiya',
  '/moscow?modal=promo&alias=svoy-vok',
];

/** Returns the numbers of the scripts that a page has in its text or in texts for screen readers. */
const numbersOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const named = [...document.querySelectorAll('[aria-label], [alt], [title]')].flatMap((part) =>
      ['aria-label', 'alt', 'title'].map((name) => part.getAttribute(name) ?? ''),
    );
    const text = [document.body.textContent ?? '', document.title, ...named].join(' ');
    return text.match(/№\d+/g) ?? [];
  });

const languages = ['ru', 'en', 'tr', 'uz', 'de', 'uk'] as const;

/** Returns the paths to open in a language: all in Russian or with SERVERY_ALL_PAGES, otherwise a share of them. */
const pathsOf = (language: (typeof languages)[number]): string[] => {
  const share = languages.indexOf(language) - 1;
  if (share < 0 || process.env.SERVERY_ALL_PAGES) return paths;
  return paths.filter((_, index) => index % (languages.length - 1) === share);
};

for (const language of languages) {
  test.describe(language, () => {
    test.use({ language });

    test('script in the texts of the content is shown and never runs', async ({ page, stranger }) => {
      test.setTimeout(120_000);
      let hits = 0;
      await page.exposeFunction('hit', () => { hits += 1; });
      page.on('dialog', () => { hits += 1; });
      const { order_id: order } = await placeOrder(stranger);
      await fillCart(stranger, takeaway, 'edamame', 2);
      await stranger.lendSession(page.context());
      const seen = new Set<string>();
      for (const path of [...pathsOf(language), `/moscow/order/${order}/tracking`]) {
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        if (path.includes('modal=')) await page.locator('[data-modal]').waitFor();
        for (const number of await numbersOn(page)) seen.add(number);
      }
      expect(hits).toBe(0);
      expect(seen.size).toBeGreaterThan(pathsOf(language) === paths ? 300 : 20);
      test.info().annotations.push({ type: 'scripts shown', description: String(seen.size) });
    });
  });
}

import { desktop, expectAccessible, phone } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

const words = ['about', 'payment-info', 'careers', 'franchise', 'supplier', 'landlord', 'return-request', 'legal-info', 'user-agreement', 'privacy-policy'];

test('every page of words is there in each brand, and one that a brand lacks is not found', async ({ page, watch, baseURL }) => {
  watch.expectRefusal(/^\/moscow\/(imprint|nothing)$/, 404);
  for (const brand of ['sushi', 'shawarma', 'pizza']) {
    for (const alias of words) {
      const answer = await page.goto(`http://${brand}.localhost:${new URL(baseURL ?? '').port}/moscow/${alias}`);
      expect(answer?.status(), `${brand} ${alias}`).toBe(200);
    }
  }
  for (const [path, status] of Object.entries({ '/berlin/imprint': 200, '/moscow/imprint': 404, '/moscow/nothing': 404, '/privacy-policy': 200 })) {
    expect((await page.goto(path))?.status(), path).toBe(status);
  }
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('delivery, shops, promotions and pages of words are read', async ({ page }) => {
    for (const name of ['delivery', 'shops', 'promotions', 'bonus', 'about', 'legal-info']) {
      // The first visitor may get a document that is rendered in the browser.
      await expect(async () => {
        await page.goto(`/moscow/${name}`);
        await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible({ timeout: 500 });
      }).toPass();
      await expect(page.getByRole('contentinfo')).toBeVisible();
    }
    await page.goto('/moscow/delivery');
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
    await page.goto('/moscow/promotions');
    const promotion = page.getByRole('main').getByRole('article').first();
    await expect(promotion.locator('p').nth(1)).toBeVisible(); // the first is the line below the name
    await expect(promotion.getByRole('button')).toHaveCount(0);
  });
});

test.describe('on a phone', () => {
  test.use(phone);

  test('the footer leads to the pages, which fit 320 px and have no fault of axe', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const alias of words) {
      await page.goto(`/moscow/${alias}`);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), alias).toBeLessThanOrEqual(320);
    }
    await expectAccessible(page, 'privacy-policy');
    await page.getByRole('contentinfo').locator('a[href$="/about"]').click();
    await expect(page).toHaveURL(/\/moscow\/about$/);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  });
});

test.describe('on a desktop', () => {
  test.use(desktop);

  test('the header leads to how to pay', async ({ page }) => {
    await page.goto('/moscow/delivery');
    await page.getByRole('banner').getByRole('navigation').locator('button[aria-haspopup="dialog"]').first().click();
    await page.locator('a[href$="/payment-info"]').last().click();
    await expect(page).toHaveURL(/payment-info$/);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  });
});

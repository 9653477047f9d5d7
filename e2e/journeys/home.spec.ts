import type { Request } from '@playwright/test';
import { Storefront } from '../harness/storefront.ts';
import { desktop, expectAccessible, expectNoSidewaysScroll, expectSound, phone } from '../harness/screen.ts';
import { expect, openWithBody, test } from '../harness/test.ts';
import { callsOf } from '../harness/watch.ts';

for (const [device, screen] of Object.entries({ phone, desktop })) {
  test.describe(`on a ${device}`, () => {
    test.use(screen);

    test('the root page offers all cities and leads to one', async ({ page, say }) => {
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1, name: say('Choose a city') })).toBeVisible();
      await expect(page.getByRole('link', { name: /Москва/ }).first()).toBeVisible();
      await expectSound(page, 'root page');
      await page.getByRole('link', { name: /^Казань/ }).first().click();
      await expect(page).toHaveURL(/\/kazan$/);
      await new Storefront(page, say).ready();
    });

    test('home is sound and asks the server for nothing that the document brought', async ({
      page,
      say,
    }) => {
      await openWithBody(page, '/moscow');
      await page.waitForLoadState('networkidle');
      const calls = callsOf(page);
      const shop = new Storefront(page, say);
      await shop.openHome('moscow');
      await page.waitForLoadState('networkidle');
      const given = /\/api\/(cities|products|shops$)/;
      expect(calls.filter((call) => given.test(call))).toEqual([]);
      await expectSound(page, 'home', { wholeMenu: true });
    });

    test('a product can be read and chosen by everybody', async ({ page, say }) => {
      const shop = new Storefront(page, say);
      await shop.openHome('moscow');
      const dialog = await shop.open('Вок с курицей терияки');
      await expect(dialog.getByRole('radio').first()).toBeVisible();
      await expectSound(page, 'product');
    });
  });
}

/** What the home page may load on a phone before the visitor scrolls, with its late parts. */
const firstLoad = { requests: 50, bytes: 410_000 };

test.describe('the first load on a phone', () => {
  test.use(phone);

  test('home is within its budget of requests and weight before the first scroll', async ({ page }) => {
    // The first request has the server make the document with its body.
    await openWithBody(page, '/moscow');
    await page.goto('about:blank');
    const browser = await page.context().newCDPSession(page);
    await browser.send('Network.clearBrowserCache');
    const requests: Request[] = [];
    page.on('requestfinished', (request) => requests.push(request));
    await page.goto('/moscow');
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all(requests.map((request) => request.sizes()));
    const bytes = sizes.reduce((sum, size) => sum + size.responseHeadersSize + size.responseBodySize, 0);
    expect(requests.length, requests.map((request) => request.url()).join('\n')).toBeLessThanOrEqual(firstLoad.requests);
    expect(bytes).toBeLessThanOrEqual(firstLoad.bytes);
  });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false, ...phone });

  test('the menu can be read before any script ran', async ({ page }) => {
    await openWithBody(page, '/moscow');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Москве');
    await expect(page.getByRole('heading', { level: 3, name: 'Филадельфия', exact: true }).first()).toBeVisible();
    await expect(page.getByText('549').first()).toBeVisible();
  });

  test('the cities are links for crawlers', async ({ page }) => {
    await openWithBody(page, '/');
    const cities = page.getByRole('main').getByRole('link');
    expect(await cities.count()).toBeGreaterThanOrEqual(8);
    await expect(cities.first()).toHaveAttribute('href', /^\/[a-z]+$/);
  });
});

test.describe('in the dark', () => {
  test.use({ ...phone, colorScheme: 'dark' });

  for (const brand of ['sushi', 'shawarma', 'pizza'] as const) {
    test.describe(() => {
      test.use({ brand });
      test(`home and product of the ${brand} brand have enough contrast`, async ({ page, say }) => {
        const shop = new Storefront(page, say);
        await shop.openHome('moscow');
        await expectAccessible(page, `home of ${brand}`, { coloursOnly: true });
        const dish = page.getByRole('article').getByRole('heading', { level: 3 }).first();
        await dish.getByRole('button').click();
        await expect(shop.dialog()).toBeVisible();
        await expectAccessible(page, `product of ${brand}`, { coloursOnly: true });
      });
    });
  }
});

test.describe('an address that leads nowhere', () => {
  test.use(phone);

  for (const path of ['/atlantis', '/moscow/nowhere']) {
    test(`${path} is answered 404 with a way on`, async ({ page, watch, say }) => {
      watch.expectRefusal(new RegExp(`^${path}$`), 404);
      watch.expectRefusal(/^\/api\/cities\/atlantis$/, 404);
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page, 'not found');
      await expectNoSidewaysScroll(page, 'not found');
      await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
      expect(say).toBeDefined();
    });
  }
});

test.describe('a city that takes no orders', () => {
  test.use(phone);

  test('says so and still shows its menu', async ({ page }) => {
    await page.goto('/yekaterinburg');
    await expect(page.getByText(/Переезжаем на новую кухню/).first()).toBeVisible();
    await expect(page.getByRole('heading', { level: 3, name: 'Филадельфия', exact: true }).first()).toBeVisible();
    await expectSound(page, 'home of a stopped city');
  });
});

import type { Locator, Page, Request } from '@playwright/test';
import { Storefront } from '../harness/storefront.ts';
import { desktop, expectAccessible, expectNoSidewaysScroll, expectSound, narrow, phone } from '../harness/screen.ts';
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

test.describe('for visitors who want less motion', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } });

  test('nothing goes through a transition while the menu scrolls', async ({ page, say }) => {
    await new Storefront(page, say).openHome('moscow');
    const begun = await page.evaluate(async () => {
      const properties = new Set<string>();
      addEventListener('transitionrun', ({ propertyName }) => properties.add(propertyName), true);
      for (let frame = 0; frame < 40; frame++) {
        scrollBy(0, 300);
        await new Promise(requestAnimationFrame);
      }
      return [...properties];
    });
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(3000);
    expect(begun).toEqual([]);
  });
});

/** What the home page may load on a phone before the visitor scrolls, with its late parts. */
const firstLoad = { requests: 25, bytes: 350_000 };

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

/** Returns where the first element of the selector begins in the window, in pixels from its top. */
const topOf = (page: Page, selector: string) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().top);

/** Returns the name of the dish in the middle of the window, where its tile begins, and whether its picture is there. */
const dishInView = (page: Page) =>
  page.evaluate(() => {
    const tiles = [...document.querySelectorAll('section[id^=group-] article')];
    const tile = tiles.find((each) => each.getBoundingClientRect().bottom > innerHeight / 2);
    const image = tile?.querySelector('img');
    return {
      name: tile?.querySelector('h3')?.textContent ?? '',
      top: tile?.getBoundingClientRect().top ?? 0,
      hasPicture: Boolean(image?.complete && image.naturalWidth),
    };
  });

for (const [device, options] of [['a phone', phone], ['a desktop', desktop]] as const) {
  test.describe(`dishes that are drawn as they come near, on ${device}`, () => {
    test.use(options);

    test('do not move: a group is reached at its name, and Back leads to the same dish', async ({ page, say }) => {
      const shop = new Storefront(page, say);
      await shop.openHome('moscow');
      const groups = page.getByRole('navigation', { name: say('Menu groups') }).getByRole('link');
      for (const place of [1, -3, 2, 4]) {
        await groups.nth(place).click();
        const id = (await groups.nth(place).getAttribute('href'))?.slice(1) ?? '';
        // The dishes that come into view are drawn first.
        await page.waitForTimeout(500);
        await expect(groups.nth(place)).toHaveAttribute('aria-current', 'true');
        const heading = `[id="${id}-name"]`;
        expect(await topOf(page, heading)).toBeLessThan(150);
        expect(await topOf(page, heading)).toBeGreaterThan(50);
      }
      await page.evaluate(() => scrollBy({ top: 3500, behavior: 'instant' }));
      await expect.poll(async () => (await dishInView(page)).hasPicture).toBe(true);
      const { name, top } = await dishInView(page);
      // Not by the mouse, for which the test would scroll a link into view that a notice covers.
      await page.locator('a[href="/moscow/promotions"]').filter({ visible: true }).first().dispatchEvent('click');
      await expect(page.getByRole('heading', { level: 1, name: say('Promotions') })).toBeVisible();
      await page.goBack();
      await shop.ready();
      await expect.poll(async () => (await dishInView(page)).name).toBe(name);
      await expect.poll(async () => Math.abs((await dishInView(page)).top - top)).toBeLessThan(40);
    });
  });
}

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

test.describe('in the language with the longest words for delivery, on a phone', () => {
  test.use({ ...phone, viewport: narrow, brand: 'pizza', language: 'uz' });

  test('every text of a dish that is often ordered stays on its card', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Pokrovka');
    const cards = page.getByRole('region', { name: say('Often ordered') }).getByRole('article');
    await expect(cards.filter({ hasText: /599/ }).first()).toBeVisible();
    const outside = await cards.evaluateAll((all) =>
      all.flatMap((card) => {
        const edge = card.getBoundingClientRect().right;
        const texts = [...card.querySelectorAll('span')];
        return texts.filter((text) => text.getBoundingClientRect().right > edge).map((text) => text.textContent);
      }),
    );
    expect(outside).toEqual([]);
  });
});

test.describe('a dish whose name is one long word, on a phone', () => {
  test.use({ ...phone, brand: 'pizza', language: 'de' });

  test('breaks it before it leaves its column, in the menu and in the search', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    const outside = (part: Locator) =>
      part.locator('h3 > button').evaluateAll((names) =>
        names.flatMap((name) => {
          name.textContent = 'Hähnchenbrustfiletstreifenteller';
          const column = name.parentElement?.getBoundingClientRect().right ?? 0;
          return name.getBoundingClientRect().right > column + 1 ? [name.outerHTML] : [];
        }),
      );
    await shop.openHome('berlin');
    expect(await outside(page.getByRole('main'))).toEqual([]);
    await page.goto('/berlin?modal=search');
    await expect(shop.dialog().getByRole('article').first()).toBeVisible();
    expect(await outside(shop.dialog())).toEqual([]);
  });
});

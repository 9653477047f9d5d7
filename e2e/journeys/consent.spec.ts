import type { Locator, Page } from '@playwright/test';
import { desktop, expectAccessible, expectSound, phone } from '../harness/screen.ts';
import { Storefront, startsWith } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

/** The addresses of the scripts of analytics. */
const providers = /^https:\/\/(mc\.yandex\.ru|www\.googletagmanager\.com)\//;

/**
 * Answers requests for scripts of analytics with empty ones, and returns a list to which their addresses are
 * added.
 */
async function answerProviders(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route(providers, async (route) => {
    asked.push(route.request().url());
    await route.fulfill({ contentType: 'text/javascript', body: '' });
  });
  return asked;
}

/** Returns the names of the events that wait for the script of GA4. */
const reported = (page: Page) =>
  page.evaluate(() =>
    Array.from((window as unknown as { dataLayer?: ArrayLike<unknown>[] }).dataLayer ?? [], (call) => Array.from(call))
      .filter(([kind]) => kind === 'event')
      .map(([, name]) => String(name)),
  );

/** Reports whether two elements, one above the other, share no line of the window. */
async function areApart(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  return a !== null && b !== null && (a.y + a.height <= b.y || b.y + b.height <= a.y);
}

test.describe('a visitor who has not been asked', () => {
  test.use({ ...phone, consent: '', content: 'measured' });

  test('is asked about cookies two seconds after the page is there, with refusal as near as consent', async ({ page, say }) => {
    const asked = await answerProviders(page);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    const notice = page.getByRole('region', { name: say('consent.notice.title') });
    await expect(notice).toBeVisible();
    const accept = await notice.getByRole('button', { name: say('consent.notice.accept') }).boundingBox();
    const reject = await notice.getByRole('button', { name: say('consent.notice.reject') }).boundingBox();
    expect([reject?.width, reject?.height, reject?.y]).toEqual([accept?.width, accept?.height, accept?.y]);
    await expectSound(page, 'cookie notice');

    await test.step('on the page of an order the question leaves its heading free', async () => {
      await page.goto('/moscow/order/-/tracking');
      const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
      await expect(notice).toBeVisible();
      const question = await notice.boundingBox();
      expect(question?.y).toBeGreaterThan((heading?.y ?? 0) + (heading?.height ?? 0));
      await page.goBack();
      await shop.ready();
    });

    await test.step('in the cart it leaves the heading and the order button free, in narrow windows too', async () => {
      await shop.pickUpAt('Умико на Новослободской');
      await shop.add('Эдамаме с морской солью');
      for (const step of ['', '?step=2']) {
        await page.goto(`/moscow/cart${step}`);
        const back = page.getByRole('link', { name: say(step ? 'Back to the cart' : 'Back to the menu') });
        const go = page.getByRole('button', { name: startsWith(say(step ? 'Place the order' : 'Check out')) }).filter({ visible: true });
        for (const width of [320, phone.viewport.width]) {
          await page.setViewportSize({ ...phone.viewport, width });
          await expect(go).toBeInViewport({ ratio: 1 });
          await expect(notice).toBeInViewport({ ratio: 1 });
          for (const part of [back, page.getByRole('heading', { level: 1 }), go]) {
            await expect.poll(() => areApart(notice, part)).toBe(true);
          }
        }
      }
      await page.goto('/moscow');
      await shop.ready();
    });

    await test.step('without an answer and after a refusal nothing is reported', async () => {
      await notice.getByRole('button', { name: say('consent.notice.reject') }).click();
      await expect(notice).toBeHidden();
      await page.reload();
      await shop.ready();
      expect(asked).toEqual([]);
      expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('_ga');
    });
  });
});

test.describe('a visitor who chooses one by one', () => {
  test.use({ ...desktop, consent: '', content: 'measured' });

  test('allows analytics alone, from then on is counted without advertising, and takes it back', async ({ page, say, watch }) => {
    watch.expectFault(/foreign host: https:\/\/(mc\.yandex\.ru|www\.googletagmanager\.com)\//);
    const asked = await answerProviders(page);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    const notice = page.getByRole('region', { name: say('consent.notice.title') });
    await notice.getByRole('button', { name: say('consent.notice.choose') }).click();
    await expectAccessible(page, 'choice of cookies');
    await shop.dialog().getByRole('checkbox', { name: /^Статистика/ }).check();
    expect(asked).toEqual([]);
    await shop.dialog().getByRole('button', { name: say('consent.settings.save') }).click();
    await expect.poll(() => asked.length).toBe(2);
    const consent = await page.evaluate(() =>
      JSON.stringify(Array.from((window as unknown as { dataLayer: ArrayLike<unknown>[] }).dataLayer[0] ?? [])),
    );
    expect(consent).toContain('"ad_storage":"denied"');

    await test.step('a dish that is put into the cart, the checkout and the order are counted', async () => {
      await shop.pickUpAt('Умико на Новослободской');
      await shop.add('Эдамаме с морской солью');
      await shop.goToCart();
      await expect.poll(() => reported(page)).toEqual(expect.arrayContaining(['page_view', 'view_item_list', 'add_to_cart', 'begin_checkout']));
    });

    await test.step('taken back, nothing more is reported', async () => {
      await page.goto('/moscow');
      await shop.ready();
      await shop.pressBelowMenu(page.getByRole('contentinfo').getByRole('button', { name: say('Cookie settings') }));
      await shop.dialog().getByRole('checkbox', { name: /^Статистика/ }).uncheck();
      await shop.dialog().getByRole('button', { name: say('consent.settings.save') }).click();
      await expect(shop.dialog()).toBeHidden();
      const before = await reported(page);
      await page.goto('/moscow/shops');
      await page.waitForLoadState('networkidle');
      expect(before).not.toContain('purchase');
      expect(await reported(page)).toEqual([]);
    });
  });
});

test.describe('a visitor of a brand with banners', () => {
  test.use({ ...phone, brand: 'pizza', language: 'de' });

  test('sees the banner of a page once its delay is over, and not again within its days', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await page.goto('/istanbul/promotions');
    const banner = shop.dialog();
    await expect(banner).toBeVisible({ timeout: 15_000 });
    await expect(banner).toContainText('CIAO15');
    await expectAccessible(page, 'marketing banner');
    await page.keyboard.press('Escape');
    await expect(banner).toBeHidden();
    expect((await page.context().cookies()).some(({ name }) => name.startsWith('banner'))).toBe(true);
  });
});

import type { Page } from '@playwright/test';
import { BankPage } from '../harness/bank.ts';
import { makeOlder } from '../harness/older.ts';
import { desktop, expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, openWithBody, test } from '../harness/test.ts';

test.describe('in a browser of the floor, on a phone', () => {
  test.use({ ...phone, language: 'uk' });

  test('a dish is chosen with all of it in reach, ordered, and paid in the bank’s app', async ({
    page,
    context,
    say,
    payment,
  }) => {
    await makeOlder(context);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    expect(await page.evaluate(() => 'canParse' in URL || matchMedia('(width > 0px)').matches)).toBe(false);
    const place = await shop.openPlace();
    const backgroundOf = (id: string) =>
      place.getByRole('radio', { name: say(id) }).locator('..').evaluate((label) => getComputedStyle(label).backgroundColor);
    await shop.chooseTakeaway(place);
    expect(await backgroundOf('Takeaway'), 'what is chosen is seen').not.toBe(await backgroundOf('Delivery'));
    await shop.button('Choose: {name}', { name: 'Уміко на Новослободській' }).click();
    await expect(place).toBeHidden();
    const dish = await shop.open('Вок з куркою теріякі');
    await expect(dish.getByRole('button', { name: say('Close') })).toBeInViewport({ ratio: 1 });
    await shop.choose(dish, 'Удон');
    await shop.addButton(dish).click();
    await expect(dish).toBeHidden();
    await shop.goToCart();
    await shop.goToForm();
    await shop.chooseEarliest();
    await shop.introduce('Оксана', '9161234567');
    await shop.wayToPay('sbp').check();
    await shop.orderButton().click();
    await expect(payment.about('Pay in your bank’s app')).toBeVisible();
    await payment.link('Open the bank’s app').click();
    const bank = new BankPage(page);
    await bank.ready();
    await bank.chooseBank();
    await bank.choose('paid');
    await bank.goBack();
    await payment.expectPaid();
  });
});

test.describe('where the page cannot start', () => {
  test.use({ ...phone, language: 'de' });

  const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'Die Seite ist nicht gestartet.' });

  test('every page says so with the phone in a browser that does not understand its script', async ({ page, watch }) => {
    watch.expectFault(/unexpected token/i);
    await page.clock.install();
    await page.route('**/assets/entry-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'class A { static #{ }' }),
    );
    const phones = { '/': '+78000000001', '/moscow': '+74950000011', '/moscow/cart': '+74950000011' };
    for (const [path, number] of Object.entries(phones)) {
      await openWithBody(page, path);
      await expect(page.getByRole('banner')).toBeVisible();
      await expect(notice(page)).toBeHidden();
      await page.clock.runFor(8000);
      await expect(notice(page)).toBeInViewport();
      await expect(notice(page).getByRole('link', { name: /^\+7/ })).toHaveAttribute('href', `tel:${number}`);
    }
    await expectSound(page, 'a cart that did not start', { within: '#start-notice' });
  });

  for (const part of ['entry', 'de']) {
    test(`a part of the start that is lost once comes with the next load: ${part}`, async ({ page, watch, say }) => {
      watch.expectFault(/ERR_FAILED|dynamically imported/);
      await page.route(new RegExp(`/assets/${part}-.*\\.js`), (route) => route.abort(), { times: 2 });
      await page.goto('/moscow');
      await new Storefront(page, say).ready();
    });
  }

  test('a part of the start that is lost each time is reported', async ({ page, watch, say }) => {
    watch.expectFault(/ERR_FAILED|dynamically imported/);
    await page.route('**/assets/de-*.js', (route) => route.abort());
    await page.goto('/moscow');
    // Each of three loads of the page asks four times, over two seconds.
    await expect(notice(page)).toBeVisible({ timeout: 20_000 });
    await page.unroute('**/assets/de-*.js');
    await notice(page).getByRole('link', { name: 'Seite neu laden' }).click();
    await new Storefront(page, say).ready();
    await expect(page.locator('#start-notice')).toBeHidden();
  });
});

test.describe('where a part of the page is lost later', () => {
  test.use(desktop);

  test('it comes all the same where it is lost twice, and its dialog waits for it', async ({ page, watch, say }) => {
    watch.expectFault(/ERR_FAILED/);
    const shop = new Storefront(page, say);
    await page.route(/\/assets\/search-dialog-.*\.js/, (route) => route.abort(), { times: 2 });
    await shop.openHome('moscow');
    const lost = page.waitForEvent('requestfailed');
    await shop.button('Search the menu').click();
    await lost;
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByRole('dialog').getByRole('searchbox')).toBeFocused();
    await expect(shop.button('Reload')).toBeHidden();
  });

  test('it is reported with a button that loads the page again, and the rest stays', async ({ page, watch, say }) => {
    watch.expectFault(/ERR_FAILED|dynamically imported/);
    const shop = new Storefront(page, say);
    await page.route(/\/assets\/(product-dialog|promotions|checkout)-.*\.js/, (route) => route.abort());
    await shop.openHome('moscow');
    const aside = page.getByRole('complementary');
    await expect(aside.getByText(say('Part of the page did not load. Reload it: your cart is kept.'))).toBeVisible();
    await shop.dish('Эдамаме с морской солью').getByRole('button').first().click();
    await expect(shop.button('Reload').first()).toBeVisible();
    await page.getByRole('link', { name: say('Promotions') }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: say('The page could not be loaded') })).toBeVisible();
    await expectSound(page, 'a page that did not load');
    await page.unrouteAll();
    await shop.button('Reload the page').click();
    await expect(page.getByRole('heading', { level: 1, name: say('Promotions') })).toBeVisible();
  });
});

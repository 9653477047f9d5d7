import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Schema } from '../harness/caller.ts';
import { newCustomer, saveAddress, signIn } from '../harness/customers.ts';
import { fillCart, placeOrder, takeaway } from '../harness/orders.ts';
import { expectAgreement, orderToPay, pizzaInMoscow } from '../harness/paying.ts';
import { Program } from '../harness/program.ts';
import { desktop } from '../harness/screen.ts';
import { Storefront, startsWith } from '../harness/storefront.ts';
import { expect, test as base } from '../harness/test.ts';

const nextRelease = resolve(import.meta.dirname, '../..', process.env.SERVERY_NEXT_RELEASE ?? '');

/** The folder of the files of the former release. */
const built = resolve(import.meta.dirname, '../../web/dist/assets');

interface Fixtures {
  /** Replaces the program by the next release, whose files all have other names. */
  upgrade: () => Promise<void>;
}

// Each test upgrades a program of its own.
const test = base.extend<Fixtures>({
  program: async ({ kitchen, content, vk, geocoder, payWithin }, use) => {
    const program = await Program.start({ kitchen, content, vk, geocoder, payWithin });
    await use(program);
    await program.stop();
  },
  upgrade: async ({ program, watch }, use) =>
    use(async () => {
      // Requests of an open page between the two releases get no answer, and the page repeats them.
      watch.expectFault(/ERR_CONNECTION_(REFUSED|RESET)|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE/);
      await program.replaceBy(nextRelease);
    }),
});

test.use(desktop);

/** Returns a list to which each file of the page that the browser requests is added from now on. */
function filesOf(page: Page): string[] {
  const files: string[] = [];
  page.context().on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/assets/')) files.push(pathname);
  });
  return files;
}

/** Opens a page and marks it, so that `expectSamePage` can find out later whether it was loaded again. */
async function openToStay(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
}

/** Expects the page to be the document that `openToStay` has opened, without a reload. */
async function expectSamePage(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
}

/** Expects at least so many files, all of them of the former release. */
function expectFormer(files: string[], atLeast: number): void {
  expect(new Set(files).size).toBeGreaterThanOrEqual(atLeast);
  const former = new Set(readdirSync(built).map((name) => `/assets/${name}`));
  expect(files.filter((file) => !former.has(file))).toEqual([]);
}

/** Opens a dialog and closes it. */
async function openAndClose(shop: Storefront, opener: Locator): Promise<void> {
  await opener.filter({ visible: true }).first().click();
  await expect(shop.dialog().getByRole('heading').first()).toBeVisible();
  await shop.page.keyboard.press('Escape');
  await expect(shop.page.getByRole('dialog')).toHaveCount(0);
}

test('menu, cart and checkout of the former release open all that is theirs, and order', async ({
  page,
  say,
  stranger,
  upgrade,
}) => {
  test.setTimeout(120_000);
  await fillCart(stranger, takeaway, 'edamame', 3);
  await stranger.lendSession(page.context());
  const [home, cart, checkout] = [page, await page.context().newPage(), await page.context().newPage()].map(
    (tab) => new Storefront(tab, say),
  ) as [Storefront, Storefront, Storefront];
  await openToStay(home.page, '/moscow');
  await home.pickUpAt('Умико на Новослободской');
  await openToStay(cart.page, '/moscow/cart');
  await openToStay(checkout.page, '/moscow/cart?step=2');
  await home.page.bringToFront();
  await upgrade();
  const files = filesOf(page);

  await test.step('dialogs of the menu', async () => {
    await openAndClose(home, home.button('City: {name}'));
    await openAndClose(home, home.button('Search the menu'));
    await openAndClose(home, home.button("I don't eat…"));
    await openAndClose(home, home.button('common.sign-in'));
    await openAndClose(home, home.button('Order status'));
    await openAndClose(home, home.dish('Вок с курицей терияки').getByRole('button', { name: 'Вок с курицей терияки', exact: true }));
  });

  await test.step('dialogs of cart and checkout', async () => {
    await cart.page.bringToFront();
    await openAndClose(cart, cart.button('Empty the cart'));
    await checkout.page.bringToFront();
    await openAndClose(checkout, checkout.button('Another time'));
  });

  await test.step('the other pages, without a new document', async () => {
    await home.page.bringToFront();
    for (const name of ['Delivery', 'Restaurants', 'Promotions']) {
      await home.page.getByRole('contentinfo').getByRole('link', { name: say(name) }).click();
      await expect(home.page).toHaveTitle(/\S/);
      await expect(home.page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    await openAndClose(home, home.page.getByRole('main').getByRole('article').getByRole('button'));
  });

  await test.step('the order, with the cart from before', async () => {
    await checkout.page.bringToFront();
    await checkout.introduce('Анна', '9161234567');
    await checkout.waitForTime();
    const order = await checkout.placeOrder();
    await openAndClose(checkout, checkout.button('Cancel the order'));
    const { order: placed } = await stranger.ask<{ order: Schema<'Order'> }>('GET', `/order/${order}`);
    expect(placed.cart.products).toMatchObject([{ count: 3 }]);
  });

  await test.step('another language', async () => {
    await home.page.bringToFront();
    await home.page.getByRole('combobox', { name: say('Language') }).filter({ visible: true }).first().selectOption('de');
    await expect(home.page.locator('html')).toHaveAttribute('lang', 'de');
  });
  for (const { page: tab } of [home, cart, checkout]) await expectSamePage(tab);
  expectFormer(files, 20);
});

test('profile and tracking of the former release open all that is theirs', async ({
  page,
  say,
  stranger,
  watch,
  upgrade,
}) => {
  test.setTimeout(120_000);
  watch.expectRefusal(/^\/api\/order\/repeat$/, 409); // it asks what becomes of the full cart
  const customer = newCustomer('sushi');
  await signIn(stranger, customer);
  await saveAddress(stranger, 'moscow', 'Новослободская 20');
  const done = await placeOrder(stranger);
  for (const status of ['cooking', 'done']) {
    await stranger.operate('POST', `/orders/${done.order_id}/status`, { status });
  }
  const { order_id: order } = await placeOrder(stranger);
  await fillCart(stranger, takeaway, 'edamame', 1);
  await stranger.lendSession(page.context());
  const [home, profile, tracking] = [page, await page.context().newPage(), await page.context().newPage()].map(
    (tab) => new Storefront(tab, say),
  ) as [Storefront, Storefront, Storefront];
  await openToStay(home.page, '/moscow');
  await openToStay(profile.page, '/moscow/profile');
  await openToStay(tracking.page, `/moscow/order/${order}/tracking`);
  await profile.page.bringToFront();
  await upgrade();
  const files = filesOf(page);

  await test.step('dialogs of the profile', async () => {
    await openAndClose(profile, profile.button('Delete the account'));
    const tabs = profile.page.getByRole('navigation', { name: say('Profile') }).or(profile.page.getByRole('tablist'));
    await tabs.first().getByText(say('Addresses')).click();
    await openAndClose(profile, profile.page.getByRole('button', { name: startsWith(say('Delete the address {written}')) }));
    await tabs.first().getByText(say('Orders')).click();
    await openAndClose(profile, profile.button('Order again'));
  });

  await test.step('dialogs of the order', async () => {
    await tracking.page.bringToFront();
    await openAndClose(tracking, tracking.button('Cancel the order'));
  });

  await test.step('the menu of the account', async () => {
    await home.page.bringToFront();
    await home.button('Profile').click();
    await expect(home.page.getByRole('link', { name: say('Profile') })).toBeVisible();
  });
  for (const { page: tab } of [home, profile, tracking]) await expectSamePage(tab);
  const { cart } = await stranger.ask<Schema<'CartAnswer'>>('PUT', '/cart', takeaway);
  expect(cart.count).toBe(1);
  expectFormer(files, 6);
});

test.describe('where cards are typed on the page of the shop', () => {
  test.use({ brand: 'pizza' });

  test('a payment page of the former release takes the card', async ({ payment, stranger, bank, upgrade }) => {
    test.setTimeout(120_000);
    const order = await orderToPay(stranger, pizzaInMoscow, 'card_online');
    await stranger.lendSession(payment.page.context());
    await openToStay(payment.page, order.path);
    await upgrade();
    const files = filesOf(payment.page);
    await payment.payBy(await bank.card('paid'));
    await payment.expectPaid();
    await expectSamePage(payment.page);
    await expectAgreement(order, bank, 'paid', 1);
    expectFormer(files, 1);
  });
});

test('a page of the former release can load every part that its build has', async ({ page, upgrade }) => {
  await openToStay(page, '/moscow');
  await upgrade();
  const files = filesOf(page);
  // The two that every document starts with are at work already; an invitation has a document of its own.
  const parts = readdirSync(built).filter((name) => name.endsWith('.js') && !/^(entry|start-watch|staff-invitation)-/.test(name));
  const failed = await page.evaluate(
    (names) =>
      Promise.all(
        names.map((name) => import(`/assets/${name}`).then(() => [], (error: unknown) => [`${name}: ${String(error)}`])),
      ),
    parts,
  );
  expect(failed.flat()).toEqual([]);
  await expectSamePage(page);
  expectFormer(files, 100);
});

test.describe('with a worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the next worker takes over under an open page, which keeps its cart and is read offline', async ({
    page,
    context,
    stranger,
    upgrade,
    watch,
  }) => {
    await fillCart(stranger, takeaway, 'edamame', 3);
    await stranger.lendSession(context);
    const releases = () =>
      page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('documents-')).length);
    await openToStay(page, '/moscow');
    await expect.poll(releases, { timeout: 20_000 }).toBe(1);
    await upgrade();
    const other = await context.newPage();
    await other.goto('/moscow/cart');
    await expect.poll(releases, { timeout: 20_000 }).toBe(2);
    await expectSamePage(page);
    const { cart } = await stranger.ask<Schema<'CartAnswer'>>('PUT', '/cart', takeaway);
    expect(cart.count).toBe(3);
    watch.expectFault(/net::ERR|Failed to fetch/);
    await context.setOffline(true);
    await other.goto('/moscow/cart');
    await expect(other.getByText('Эдамаме с морской солью').first()).toBeVisible();
  });
});

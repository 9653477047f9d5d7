import type { BrowserContext, Page } from '@playwright/test';
import { newCustomer, signIn } from '../harness/customers.ts';
import { fillCart, placeOrder, takeaway } from '../harness/orders.ts';
import { desktop, expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { callsOf, type Watch } from '../harness/watch.ts';
import { expect, test } from '../harness/test.ts';

test.use({ serviceWorkers: 'allow' });

const edamame = 'Эдамаме с морской солью';

/** The messages of the browser about a missing network. */
const noNetwork = /ERR_INTERNET_DISCONNECTED|Failed to fetch|ERR_FAILED|net::ERR/;

/** Waits until the worker controls the page and has stored the document of the path. */
async function awaitWorker(page: Page, path: string) {
  const isReady = async () =>
    page.evaluate(async (wanted) => {
      const names = (await caches.keys()).filter((name) => name.startsWith('documents-'));
      for (const name of names) {
        if (navigator.serviceWorker.controller && (await (await caches.open(name)).match(wanted, { ignoreVary: true }))) return true;
      }
      return false;
    }, path);
  await expect.poll(isReady, { timeout: 20_000 }).toBe(true);
}

/** Cuts the network of a browser, and allows the faults that follow. */
async function goOffline(context: BrowserContext, watch: Watch) {
  watch.expectFault(noNetwork);
  await context.setOffline(true);
}

/** Returns how many personal answers and carts the browser has stored. */
const countPersonal = (page: Page) =>
  page.evaluate(async () => ({
    answers: (await (await caches.open('personal')).keys()).length,
    carts: Object.keys(localStorage).filter((key) => key.startsWith('seen-cart.')).length,
  }));

test.describe('on a phone', () => {
  test.use(phone);

  test('menu, cart and order are read without a network, nothing is ordered, and all goes on once it is back', async ({
    page,
    context,
    say,
    stranger,
    watch,
  }) => {
    const { order_id: order } = await placeOrder(stranger);
    await fillCart(stranger, takeaway, 'edamame', 2);
    await stranger.lendSession(context);
    const shop = new Storefront(page, say);
    const notice = page.getByRole('region', { name: say('offline.notice.title') });
    const portions = shop.button('Take one away: {name}', { name: edamame }).locator('..');
    await page.goto('/moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await awaitWorker(page, '/moscow/order/-/tracking');
    await page.goto(`/moscow/order/${order}/tracking`);
    await expect(shop.state()).toContainText('Заказ принят');
    await page.goto('/moscow');
    await shop.ready();

    await test.step('an order that is pressed without a network is not sent', async () => {
      await shop.goToCart();
      await shop.goToForm();
      await shop.introduce('Анна', '9161234567');
      await shop.waitForTime();
      await shop.wayToPay('cash').check();
      await goOffline(context, watch);
      await expect(notice.or(page.getByText(say('offline.notice.title'), { exact: true })).first()).toBeVisible();
      const calls = callsOf(page);
      await shop.orderButton().click();
      await expect(page.getByText(say('ui.show-failure.no-connection'))).toBeVisible();
      expect(calls.filter((call) => call.includes('/api/order/'))).toEqual([]);
    });

    await test.step('menu', async () => {
      await page.goto('/moscow');
      await expect(shop.dish(edamame)).toBeVisible();
      await expect(notice).toContainText(/Данные на \d\d:\d\d/);
      await expect(notice.getByRole('link')).toHaveAttribute('href', /^tel:/);
      await expectSound(page, 'menu without a network');
    });

    await test.step('cart, with the dish that was added meanwhile in a tab that the phone has discarded', async () => {
      await shop.addMore(edamame, 1);
      await expect(page.getByText(say('cart.show-refusal.no-connection'))).toBeVisible();
      await page.goto('/moscow/cart');
      await expect(notice).toBeVisible();
      await expect(portions).toHaveText('3');
    });

    await test.step('the order, by the way that the home screen has', async () => {
      await page.goto('/moscow/order/last/tracking');
      await expect(shop.state()).toContainText('Заказ принят');
      await expect(page).toHaveURL(new RegExp(`/order/${order}/tracking$`));
      await expect(notice).toBeVisible();
    });

    await test.step('shops with their phones', async () => {
      await page.goto('/moscow/shops');
      await expect(page.getByText('Умико на Новослободской').filter({ visible: true }).first()).toBeVisible();
    });

    await test.step('back online', async () => {
      await page.goto('/moscow/cart');
      await context.setOffline(false);
      await expect(notice).toBeHidden({ timeout: 20_000 });
      await expect(portions).toHaveText('3');
      await shop.goToForm();
      // The customer's name and phone are still in the form.
      await shop.waitForTime();
      expect(await shop.placeOrder()).not.toBe(order);
    });
  });
});

test.describe('on a desktop', () => {
  test.use(desktop);

  test('what is personal leaves the device with the sign-out', async ({ page, context, say, stranger, watch }) => {
    const customer = newCustomer('sushi');
    await signIn(stranger, customer);
    const { order_id: order } = await placeOrder(stranger);
    await fillCart(stranger, takeaway, 'edamame', 2);
    await stranger.lendSession(context);
    const shop = new Storefront(page, say);
    await page.goto('/moscow');
    await awaitWorker(page, '/moscow/order/-/tracking');
    await page.goto(`/moscow/order/${order}/tracking`);
    await expect(shop.state()).toContainText('Заказ принят');
    await expect.poll(() => countPersonal(page)).toEqual({ answers: 1, carts: 1 });
    await page.goto('/moscow/profile');
    // The order in progress has been read by then: the server would refuse a call beside the sign-out.
    await expect(page.getByRole('region', { name: say('Order no. {orderId}', { orderId: order }) })).toBeVisible();
    await shop.button('Sign out').click();
    await expect(page).toHaveURL(/\/moscow$/);
    await shop.ready();
    // A guest's cart is seen next, and it is empty.
    await expect.poll(async () => (await countPersonal(page)).answers).toBe(0);
    await goOffline(context, watch);
    await page.goto(`/moscow/order/${order}/tracking`);
    await expect(page.getByRole('region', { name: say('offline.notice.title') })).toBeVisible();
    await expect(page.getByText('Заказ принят')).toHaveCount(0);
    await page.goto('/moscow/cart');
    await expect(page.getByText('Эдамаме с морской солью')).toHaveCount(0);
  });

  test('the second visit has its files from the worker', async ({ page, context, say }) => {
    await page.goto('/moscow');
    await awaitWorker(page, '/moscow/cart');
    const other = await context.newPage();
    const files: boolean[] = [];
    other.on('response', (response) => {
      if (new URL(response.url()).pathname.startsWith('/assets/')) files.push(response.fromServiceWorker());
    });
    await other.goto('/moscow');
    await new Storefront(other, say).ready();
    await expect.poll(() => files.length).toBeGreaterThan(3);
    expect(files.filter((isOwn) => !isOwn)).toEqual([]);
  });
});

import type { Locator, Page } from '@playwright/test';
import { hiddenTexts } from '../harness/layout.ts';
import { Storefront } from '../harness/storefront.ts';
import { desktop, expectAccessible, expectSound, phone } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

/** The size in px of a page on a roll of 80 mm, at 96 px to the inch. */
const roll = { width: 302, height: 800 };

/** Expects the page to print as a receipt on paper and on a roll: with the words, no cut text and no controls. */
async function expectReceipt(page: Page, words: RegExp) {
  const before = page.viewportSize();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
  for (const size of [{ width: 794, height: 1123 }, roll]) {
    await page.setViewportSize(size);
    await expect(page.locator('nav, footer, button, a[href^="tel:"]').filter({ visible: true })).toHaveCount(0);
    await expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
    expect(await hiddenTexts(page), `printed ${size.width} px wide`).toEqual([]);
  }
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
}

test.describe('a newcomer on a phone', () => {
  test.use({ ...phone, kitchen: 'simulated' });

  test('orders sushi for delivery in Russian, pays cash with change, sees the courier come, and orders again', async ({
    page,
    say,
  }) => {
    test.setTimeout(120_000);
    const shop = new Storefront(page, say);
    await page.goto('/');
    await page.getByRole('link', { name: /^Москва/ }).first().click();
    await shop.ready();

    await test.step('says where to bring it', async () => {
      const dialog = await shop.openPlace();
      await expectSound(page, 'order types');
      await shop.enterAddress(dialog, 'новослободская 20', /Новослободская улица, 20/);
      await expect(dialog.getByText(say('We deliver here'))).toBeVisible();
      await dialog.getByRole('textbox', { name: say('Apartment or office') }).fill('5');
      await expectAccessible(page, 'a found address');
      await dialog.getByRole('button', { name: say('Deliver here') }).click();
      await expect(dialog).toBeHidden();
      await expect(shop.promiseButton()).toContainText('Новослободская улица, 20');
    });

    await test.step('chooses dishes with and without modifiers', async () => {
      await shop.addWith('Вок с курицей терияки', ['Удон', 'Яйцо']);
      await shop.add('Эдамаме с морской солью');
      await shop.add('Салат чука');
      await shop.goToCart();
      await expect(page.getByText('Удон, Яйцо')).toBeVisible();
      await expectSound(page, 'cart');
    });

    await test.step('fills in the checkout', async () => {
      await shop.goToForm();
      await shop.chooseEarliest();
      await shop.introduce('Анна', '9161234567');
      await page.getByRole('radio', { name: /налич/i }).check();
      await page.getByRole('button', { name: /^5\s000\s₽$/ }).click();
      await expectSound(page, 'checkout');
    });

    await test.step('follows the order until it is done', async () => {
      await shop.placeOrder();
      await expect(shop.state()).toContainText('Заказ принят');
      await expectSound(page, 'tracking');
      await expectReceipt(page, /Эдамаме/);
      await expect(page.getByText(/сдача с 5\s000/i)).toBeVisible();
      await expect(shop.state()).toContainText('Курьер уже в пути', { timeout: 20_000 });
      const courier = page.locator('.map-marker').filter({ hasText: say('Courier') }).locator('svg');
      await expect(courier).toBeVisible();
      const before = await courier.boundingBox();
      // When the map loads late, the courier may be at the door already, and is removed soon after.
      const now = async () => ((await courier.count()) === 0 ? 'gone' : await courier.boundingBox());
      await expect.poll(now, { timeout: 20_000 }).not.toEqual(before);
      await expect(shop.state()).toContainText('Заказ доставлен', { timeout: 20_000 });
    });

    await test.step('orders the same again', async () => {
      await shop.button('Order again').click();
      await expect(page).toHaveURL(/\/moscow\/cart$/);
      await expect(page.getByText('Удон, Яйцо')).toBeVisible();
      await expect(page.getByText('Эдамаме с морской солью')).toBeVisible();
    });
  });
});

test.describe('a customer of a brand where nobody signs in', () => {
  test.use({ ...desktop, brand: 'shawarma', language: 'tr', content: 'anonymous' });

  test('orders shawarma for takeaway in Turkish, pays by card, and finds the order from elsewhere', async ({
    page,
    say,
    elsewhere,
    stranger,
  }) => {
    test.setTimeout(120_000);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');

    await test.step('chooses the shop to come to', async () => {
      const dialog = await shop.openPlace();
      await shop.chooseTakeaway(dialog);
      await expectAccessible(page, 'shops to come to');
      await dialog.getByRole('button', { name: say('Choose: {name}', { name: 'Myasnitskaya' }) }).click();
      await expect(dialog).toBeHidden();
    });

    await shop.addWith('Tavuklu şavurma', ['Büyük', 'Orta acılı']);
    await shop.add('Ayran');
    await shop.goToCart();
    await shop.chooseEarliest();
    await shop.introduce('Ayşe', '9161234567');
    await shop.wayToPay('card').check();
    await expectSound(page, 'checkout on one page');
    const id = await shop.placeOrder('card');
    await expect(shop.state()).toBeVisible();
    await expectAccessible(page, 'tracking on a desktop');

    await test.step('another browser finds it by phone and number, and not without', async () => {
      const other = new Storefront(await elsewhere.newPage(), say);
      await other.openHome('moscow');
      await other.page.goto(`/moscow?modal=order-status`);
      const dialog = other.dialog();
      await dialog.getByRole('textbox', { name: say('Order number') }).fill(String(id));
      await dialog.getByRole('textbox', { name: say('Phone') }).pressSequentially('9161234567');
      await expectAccessible(other.page, 'order look-up');
      await dialog.getByRole('button', { name: say('Find the order') }).click();
      await expect(other.page).toHaveURL(new RegExp(`/order/${id}/tracking`));
      await expect(other.state()).toContainText(/./);
      await expect(other.page.getByText('Tavuklu şavurma')).toBeVisible();
    });

    await stranger.operate('POST', `/orders/${id}/status`, { status: 'cooking' });
    await stranger.operate('POST', `/orders/${id}/status`, { status: 'done' });
    const done = page.getByRole('button', { name: say('Order again') });
    await expect(done).toBeVisible({ timeout: 25_000 });
  });
});

test.describe('a guest in Berlin', () => {
  test.use({ ...desktop, brand: 'pizza', language: 'de' });

  test('orders pizza for delivery in German on another day, and the link opens the order elsewhere', async ({
    page,
    say,
    elsewhere,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const shop = new Storefront(page, say);
    await shop.openHome('berlin');
    await shop.deliverTo('oranienstr 20', /Oranienstraße 20/, 'Ozdemir', 'Name at the doorbell');
    await shop.addWith('Margherita', []);
    await shop.addWith('Pepperoni', []);
    await shop.goToCart();
    await shop.button('Another time').click();
    await shop.dialog().getByRole('button', { name: say('Tomorrow') }).click();
    await expectSound(page, 'intervals');
    await shop.dialog().getByRole('listitem').getByRole('button', { disabled: false }).nth(2).click();
    await shop.introduce('Jürgen', '15112345678');
    await page.getByRole('checkbox', { name: /Allgemeinen Geschäftsbedingungen/ }).check();
    const id = await shop.placeOrder();
    await page.getByRole('button', { name: say('Copy the link to the order') }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());

    const other = new Storefront(await elsewhere.newPage(), say);
    await other.page.goto(link);
    await expect(other.page.getByText('Margherita')).toBeVisible();
    await expect(other.page).not.toHaveURL(/t=/);

    await test.step('the bar of the order covers nothing that has the focus', async () => {
      await page.goto('/berlin/shops');
      const bar = page.getByRole('region', { name: String(id) });
      await expect(bar).toBeVisible();
      const contact = page.getByRole('contentinfo').getByRole('link', { name: '@' });
      await contact.evaluate((link) => link.scrollIntoView({ block: 'end', behavior: 'instant' }));
      await contact.focus();
      const boxOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect());
      expect((await boxOf(contact)).bottom).toBeLessThanOrEqual((await boxOf(bar)).top);
    });
  });
});

test.describe('an order that is not being cooked yet', () => {
  test.use(phone);

  test('can be cancelled, and then no more; one that is cooked only when it will be late', async ({
    page,
    say,
    stranger,
  }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await shop.add('Эдамаме с морской солью');
    await shop.goToCart();
    await shop.goToForm();
    await shop.chooseEarliest();
    await shop.introduce('Анна', '9161234567');
    await shop.placeOrder();
    await shop.button('Cancel the order').click();
    await expect(shop.dialog()).toContainText('Отменить заказ');
    await expectAccessible(page, 'question before cancelling');
    await shop.dialog().getByRole('button', { name: say('Cancel the order') }).click();
    await expect(shop.state()).toContainText('Заказ отменён');
    await expect(shop.button('Cancel the order')).toBeHidden();

    await test.step('a second one is found from the menu, and moves on while the customer looks at it', async () => {
      await shop.openHome('moscow');
      await shop.add('Эдамаме с морской солью');
      await shop.goToCart();
      await shop.goToForm();
      await shop.chooseEarliest();
      const id = await shop.placeOrder();
      await page.goto('/moscow');
      await shop.ready();
      const bar = page.getByRole('region', { name: `Заказ № ${id}` });
      await expect(bar).toContainText('Заказ принят');
      await expectSound(page, 'the menu with an order in progress');
      await bar.getByRole('link').click();
      await expect(shop.button('Cancel the order')).toBeVisible();
      await stranger.operate('POST', `/orders/${id}/status`, { status: 'cooking' });
      await expect(shop.state()).toContainText('Готовим');
      await expect(shop.button('Cancel the order')).toBeHidden();
      await stranger.operate('POST', `/orders/${id}/status`, { status: 'done' });
      await expect(shop.state()).toContainText('Заказ у вас');
    });

    await test.step('a third one will be late, so it can be cancelled while it is cooked', async () => {
      await shop.openHome('moscow');
      await shop.add('Эдамаме с морской солью');
      await shop.goToCart();
      await shop.goToForm();
      await shop.chooseEarliest();
      const id = await shop.placeOrder();
      await stranger.operate('POST', `/orders/${id}/status`, { status: 'cooking' });
      const late = new Date(Date.now() + 3 * 60 * 60 * 1000).toISOString();
      await stranger.operate('POST', `/orders/${id}/delay`, { promised_at: late });
      await expect(shop.state()).toContainText('не успеваем');
      await expect(shop.button('Cancel the order')).toBeVisible();
      await stranger.operate('POST', `/orders/${id}/cancel`, { outcome: 'canceled', reason: 'sold_out' });
      await expect(shop.state()).toContainText('закончились продукты');
      await expect(shop.button('Cancel the order')).toBeHidden();
    });
  });
});

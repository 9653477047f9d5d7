import { Caller } from '../harness/caller.ts';
import { newCustomer, saveAddress, signIn, signInLink } from '../harness/customers.ts';
import { moscow } from '../harness/orders.ts';
import { phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

test.use(phone);

for (const address of ['bonus-info', 'cities', 'cookie-settings', 'search', 'promo&alias=svoy-vok']) {
  test(`an address opens the dialog ${address}`, async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await page.goto(`/moscow?modal=${address}`);
    await expect(shop.dialog()).toHaveAttribute('data-modal', address.replace(/&.*/, ''));
    await page.keyboard.press('Escape');
    await expect(shop.dialog()).toBeHidden();
    await expect(page).toHaveURL(/\/moscow$/);
  });
}

test('a city is chosen in its dialog', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await page.goto('/moscow?modal=cities');
  await shop.dialog().getByRole('link', { name: /^Казань/ }).click();
  await expect(page).toHaveURL(/\/kazan$/);
  await expect(shop.dialog()).toBeHidden();
});

test('a promotion is read in its dialog', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await page.goto('/moscow?modal=promo&alias=svoy-vok');
  await expect(shop.dialog()).toContainText('Соберите свой вок');
  await expect(shop.dialog()).toContainText('Выберите лапшу или рис.');
});

test('a dish without a picture has its name in the upper third of a phone', async ({ page, say, watch }) => {
  const shop = new Storefront(page, say);
  watch.expectFault(/ERR_FAILED/); // no picture comes
  await page.route('**/media/**', (route) => route.abort());
  await shop.openHome('moscow');
  const dialog = await shop.open('Филадельфия');
  const name = dialog.locator('p', { hasText: 'Филадельфия' });
  const window = page.viewportSize()?.height ?? 0;
  await expect.poll(async () => (await name.boundingBox())?.y).toBeLessThan(window / 3);
});

test('the bar at the bottom opens what a header has no room for', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await page.getByRole('navigation').getByRole('button', { name: say('Info'), exact: true }).click();
  await expect(shop.dialog().getByRole('link', { name: say('Promotions') })).toBeVisible();
});

test('the cart is emptied once that is confirmed', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await shop.pickUpAt('Умико на Новослободской');
  await shop.add('Эдамаме с морской солью');
  await shop.goToCart();
  await shop.button('Empty the cart').first().click();
  await shop.dialog().getByRole('button').last().click();
  await expect(page).toHaveURL(/\/moscow$/);
});

test('the nearest shop is shown to whom nothing is delivered', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  const dialog = await shop.openPlace();
  await shop.enterAddress(dialog, moscow.outside, new RegExp(moscow.outside));
  await dialog.getByRole('button', { name: say('About the shop') }).click();
  await expect(shop.button('Pick it up here').first()).toBeVisible();
});

test('a closed shop is chosen once that is confirmed', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  const dialog = await shop.openPlace();
  await shop.chooseTakeaway(dialog);
  const card = dialog.getByRole('article').filter({ hasText: 'Бауманская' });
  await card.getByRole('button').last().click();
  await expect(page.getByRole('dialog')).toHaveCount(2);
});

test('a saved address is deleted once that is confirmed', async ({ page, say, program, stranger }) => {
  const shop = new Storefront(page, say);
  const customer = newCustomer('sushi');
  const atHome = new Caller(program, 'sushi');
  await signIn(atHome, customer);
  const { address } = await saveAddress(atHome, 'moscow', 'Новослободская 20');
  await page.goto(await signInLink(stranger, customer));
  await expect(page).not.toHaveURL(/auth/);
  await page.goto('/moscow/profile?tab=addresses');
  await page.getByRole('main').getByRole('button', { name: /Удалить адрес/ }).first().click();
  await expect(shop.dialog()).toContainText(address);
  await shop.dialog().getByRole('button', { name: /Удалить/ }).last().click();
  await expect(page.getByRole('main').getByText(address)).toBeHidden();
});

test('the pages of consent are there without a city', async ({ page }) => {
  for (const path of ['/privacy-policy', '/user-agreement']) {
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('a fault of the server is shown with a way to close it', async ({ page, say, watch }) => {
  watch.expectRefusal(/^\/api\/shops\/set$/, 500);
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await page.route('**/api/shops/set', (route) => route.fulfill({ status: 500, json: { message: 'Сломалось' } }));
  const dialog = await shop.openPlace();
  await shop.chooseTakeaway(dialog);
  await dialog.getByRole('article').filter({ hasText: 'Новослободской' }).getByRole('button').last().click();
  await expect(shop.dialog()).toContainText('Сломалось');
});

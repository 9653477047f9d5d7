import { tabTo } from '../harness/keyboard.ts';
import { Storefront, startsWith } from '../harness/storefront.ts';
import { desktop } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { callsOf } from '../harness/watch.ts';

test.use(desktop);

/** Chooses takeaway and a shop with the keyboard. */
async function chooseShop(shop: Storefront) {
  const { page, say } = shop;
  await tabTo(page, shop.promiseButton());
  await page.keyboard.press('Enter');
  const dialog = shop.dialog();
  await tabTo(page, dialog.getByRole('radio', { name: say('Delivery') }));
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: say('Takeaway') })).toBeChecked();
  const name = 'Умико на Новослободской';
  await tabTo(page, dialog.getByRole('button', { name: say('Choose: {name}', { name }) }));
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(shop.promiseButton()).toBeFocused();
}

/** Chooses to pay in cash with the keyboard: Tab leads to the chosen payment type, the arrows to the next ones. */
async function chooseCash(shop: Storefront) {
  const { page } = shop;
  await tabTo(page, shop.wayToPay('card_online'));
  const cash = shop.wayToPay('cash');
  while (!(await cash.isChecked())) await page.keyboard.press('ArrowDown');
}

/** Presses the checkout button of the cart panel. It sets the focus itself, because Tab would pass the whole menu. */
async function openCheckout({ page, say }: Storefront) {
  const checkOut = page.getByRole('button', { name: startsWith(say('Check out')) }).filter({ visible: true });
  await expect(checkOut).toBeEnabled();
  await checkOut.focus();
  await expect(checkOut).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/cart$/);
}

test('a whole takeaway order is placed with the keyboard alone', async ({ page, say }) => {
  test.setTimeout(90_000);
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');

  await test.step('the first stop leads past the head of the page', async () => {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: say('Skip to the content') })).toBeFocused();
  });

  await test.step('the shop', () => chooseShop(shop));

  await test.step('a dish with its choice', async () => {
    const name = 'Вок с курицей терияки';
    const opener = shop.dish(name).getByRole('button', { name, exact: true });
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = shop.dialog();
    await tabTo(page, dialog.getByRole('radio', { name: 'Удон' }));
    await page.keyboard.press('Space');
    await tabTo(page, shop.addButton(dialog));
    await page.keyboard.press('Enter');
    await expect(opener).toBeFocused();
  });

  await test.step('the checkout', async () => {
    await openCheckout(shop);
    await tabTo(page, shop.times().first());
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('textbox', { name: say('Your name') }));
    await page.keyboard.type('Анна');
    await tabTo(page, page.getByRole('textbox', { name: say('Phone') }));
    await page.keyboard.type('9161234567');
    await chooseCash(shop);
    await tabTo(page, shop.orderButton());
    await page.keyboard.press('Enter');
  });

  await expect(page).toHaveURL(/\/tracking$/);
  await expect(shop.state()).toContainText('Заказ принят');
});

test('a dish is found, a gift taken, a promocode applied and all of it ordered with the keyboard alone', async ({
  page,
  say,
}) => {
  test.setTimeout(120_000);
  const shop = new Storefront(page, say);
  const edamame = 'Эдамаме с морской солью';
  await shop.openHome('moscow');
  await chooseShop(shop);

  await test.step('six portions of a dish that was looked for', async () => {
    await page.keyboard.press('/');
    const dialog = shop.dialog();
    await expect(dialog.getByRole('searchbox')).toBeFocused();
    await page.keyboard.type('эдамаме');
    await expect(dialog.getByRole('article')).toContainText([edamame]);
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: edamame, exact: true })).toBeFocused();
    await tabTo(page, dialog.getByRole('button', { name: say('Add to cart: {name}, {written}') }).first());
    await page.keyboard.press('Enter');
    const more = dialog.getByRole('button', { name: say('Add one: {name}', { name: edamame }) });
    await tabTo(page, more);
    for (let time = 0; time < 5; time += 1) await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('the checkout with name and phone', async () => {
    await openCheckout(shop);
    await tabTo(page, page.getByRole('textbox', { name: say('Your name') }));
    await page.keyboard.type('Анна');
    await tabTo(page, page.getByRole('textbox', { name: say('Phone') }));
    await page.keyboard.type('9161110010');
    await chooseCash(shop);
  });

  await test.step('Enter applies the promocode and orders nothing', async () => {
    const calls = callsOf(page);
    await tabTo(page, shop.promocode());
    await page.keyboard.type('UMIKO10');
    await page.keyboard.press('Enter');
    await expect(shop.sum('Promo code {promocode}')).toBeVisible();
    await expect(shop.promocode()).toBeFocused();
    expect(calls.filter((call) => call.includes('/order/'))).toEqual([]);
  });

  await test.step('the gift, and the order', async () => {
    const gift = shop.gift('Панна-котта тем, кто заберёт сам').getByRole('button');
    await tabTo(page, gift);
    await page.keyboard.press('Enter');
    await expect(gift).toHaveAccessibleName(say('Remove the gift: {name}'));
    await expect(gift).toBeFocused();
    await tabTo(page, shop.orderButton());
    await page.keyboard.press('Enter');
  });

  await expect(page).toHaveURL(/\/tracking$/);
  await expect(shop.sum('Promo code {promocode}')).toBeVisible();
});

test.describe('the bar of groups', () => {
  test.use({ brand: 'shawarma', language: 'de' });

  test('keeps the chip that has the focus in view, while the menu scrolls to other groups', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    const bar = page.getByRole('navigation', { name: say('Menu groups') });
    const chips = bar.getByRole('link');
    await chips.first().focus();
    for (let passed = 1; passed < (await chips.count()); passed += 1) await page.keyboard.press('Tab');
    await expect(chips.last()).toBeFocused();
    const current = bar.locator('[aria-current]');
    await page.mouse.move(400, 500);
    await page.mouse.wheel(0, 900);
    const before = (await current.textContent()) ?? '';
    await page.mouse.wheel(0, 1500);
    await expect(current).not.toHaveText(before);
    const [chip, room] = [await chips.last().boundingBox(), await bar.boundingBox()];
    expect((chip?.x ?? 0) + (chip?.width ?? 0)).toBeLessThanOrEqual((room?.x ?? 0) + (room?.width ?? 0) + 1);
  });
});

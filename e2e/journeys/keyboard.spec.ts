import type { Locator, Page } from '@playwright/test';
import { Storefront } from '../harness/storefront.ts';
import { desktop } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test.use(desktop);

/** Walks by Tab until the element has the focus, as a hand on the keyboard does. */
async function tabTo(page: Page, target: Locator, longest = 120) {
  await expect(target).toBeVisible();
  for (let step = 0; step < longest; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the focus never came to ${target}`);
}

test('a whole takeaway order is placed with the keyboard alone', async ({ page, say }) => {
  test.setTimeout(90_000);
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');

  await test.step('the first stop leads past the head of the page', async () => {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: say('Skip to the content') })).toBeFocused();
  });

  await test.step('the shop', async () => {
    await tabTo(page, shop.promise());
    await page.keyboard.press('Enter');
    const dialog = shop.dialog();
    await tabTo(page, dialog.getByRole('radio', { name: say('Delivery') }));
    await page.keyboard.press('ArrowRight');
    await expect(dialog.getByRole('radio', { name: say('Takeaway') })).toBeChecked();
    const name = 'Умико на Новослободской';
    await tabTo(page, dialog.getByRole('button', { name: say('Choose: {name}', { name }) }));
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(shop.promise()).toBeFocused();
  });

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
    const checkOut = page.getByRole('button', { name: /^Оформить/ }).filter({ visible: true });
    await expect(checkOut).toBeEnabled();
    await checkOut.focus();
    await expect(checkOut).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/cart$/);
    await tabTo(page, shop.times().first());
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('textbox', { name: say('Your name') }));
    await page.keyboard.type('Анна');
    await tabTo(page, page.getByRole('textbox', { name: say('Phone') }));
    await page.keyboard.type('9161234567');
    await tabTo(page, shop.orderButton());
    await page.keyboard.press('Enter');
  });

  await expect(page).toHaveURL(/\/tracking$/);
  await expect(shop.state()).toContainText('Заказ принят');
});

import type { Page } from '@playwright/test';
import { newCustomer, signIn, signInLink } from '../harness/customers.ts';
import { placeOrder } from '../harness/orders.ts';
import { phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

test.use(phone);

/** Begins to count the presses on a page, and returns a function that returns how many there were. */
async function countPresses(page: Page): Promise<() => number> {
  let count = 0;
  await page.exposeFunction('notePress', () => {
    count += 1;
  });
  await page.addInitScript(() => {
    addEventListener('pointerdown', () => (window as unknown as { notePress: () => void }).notePress(), true);
  });
  return () => count;
}

/** Fills in a field as a customer does: presses it, then types. */
async function typeInto(shop: Storefront, name: string, text: string) {
  const field = shop.page.getByRole('textbox', { name: shop.say(name) });
  await field.click();
  await field.pressSequentially(text);
}

/** Places the order, to be paid in cash, by the shortest way from the menu. */
async function checkOut(shop: Storefront, fields: Record<string, string>) {
  await shop.goToCart();
  await shop.goToForm();
  for (const [name, text] of Object.entries(fields)) await typeInto(shop, name, text);
  await shop.placeOrder();
}

test('a newcomer has a dinner brought to them with eighteen presses', async ({ page, say }) => {
  const presses = await countPresses(page);
  const shop = new Storefront(page, say);
  await page.goto('/');
  await page.getByRole('link', { name: /^Москва/ }).first().click();
  await shop.ready();
  await shop.addButton(await shop.open('Сет «Три Филадельфии»')).click();
  const dialog = shop.dialog();
  const street = dialog.getByRole('combobox', { name: say('Street and house') });
  await street.click();
  await street.pressSequentially('новослободская 20');
  await page.getByRole('option', { name: /Новослободская улица, 20/ }).first().click();
  await typeInto(shop, 'Apartment or office', '5');
  await dialog.getByRole('button', { name: say('Deliver here') }).click();
  await expect(dialog).toBeHidden();
  await checkOut(shop, { 'Your name': 'Анна', Phone: '9161234567' });
  expect(presses()).toBeLessThanOrEqual(18);
});

test('a newcomer picks a dinner up with twelve presses', async ({ page, say }) => {
  const presses = await countPresses(page);
  const shop = new Storefront(page, say);
  await page.goto('/');
  await page.getByRole('link', { name: /^Москва/ }).first().click();
  await shop.ready();
  await shop.pickUpAt('Умико на Новослободской');
  await shop.add('Эдамаме с морской солью');
  await checkOut(shop, { 'Your name': 'Анна', Phone: '9161234567' });
  expect(presses()).toBeLessThanOrEqual(12);
});

test('a customer orders a dinner again with four presses from their orders on', async ({ page, say, stranger }) => {
  const presses = await countPresses(page);
  const customer = newCustomer('sushi');
  await signIn(stranger, customer);
  const { order_id: orderId } = await placeOrder(stranger);
  for (const status of ['cooking', 'done']) await stranger.operate('POST', `/orders/${orderId}/status`, { status });
  await page.goto(await signInLink(stranger, customer));
  await expect(page).not.toHaveURL(/auth/);
  const shop = new Storefront(page, say);
  await page.goto('/moscow/profile?tab=orders');
  await shop.button('Order again').click();
  await expect(page).toHaveURL(/\/cart$/);
  await shop.goToForm();
  await shop.placeOrder();
  expect(presses()).toBeLessThanOrEqual(4);
});

import type { Schema } from '../harness/caller.ts';
import { giveBonuses, givePresent, newCustomer, signInLink } from '../harness/customers.ts';
import { desktop, expectSound } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';

test.use({ ...desktop, brand: 'pizza' });

const given = 300;
const present = 'Шоколадный фондан';

test('bonuses and a present of a customer who signed in by a link: switched on and off, ordered, come back when it is done', async ({
  page,
  say,
  stranger,
}) => {
  test.setTimeout(150_000);
  const shop = new Storefront(page, say);
  const customer = newCustomer('pizza');
  expect(await giveBonuses(stranger, customer, given)).toBe(given);
  await givePresent(stranger, customer, 'gift-fondant');
  const link = await signInLink(stranger, customer);

  await test.step('the link signs in, keeps the cart of the guest and leaves no secret in the address', async () => {
    await shop.openHome('moscow');
    await shop.pickUpAt('Покровка');
    await answerTo(page, '/cart/add', () => shop.addWith('Маргарита', []));
    await expect(shop.bonuses()).toBeHidden();
    await page.goto(link);
    await expect(page.getByText(say('You are signed in'))).toBeVisible();
    await expect(page).toHaveURL(/\/moscow$/);
    await shop.goToCart();
  });

  const total = async () => Number((await shop.sum('Total').innerText()).replace(/[^\d,]/g, '').replace(',', '.'));
  const full = await total();

  await test.step('they go on and off, and the total follows', async () => {
    await expect(shop.bonuses()).not.toBeChecked();
    await shop.bonuses().check();
    await expect.poll(total).toBe(full - given);
    await expect(shop.sum('Bonuses')).toContainText(/−\s?300/);
    await expectSound(page, 'checkout with bonuses');
    await shop.bonuses().uncheck();
    await expect.poll(total).toBe(full);
  });

  await test.step('beside a discount they wait', async () => {
    await shop.promocode().fill('BASILICO10');
    await page.keyboard.press('Enter');
    await expect(shop.bonuses()).toBeDisabled();
    await expect(shop.bonuses()).not.toBeChecked();
    await expect(shop.bonuses()).toHaveAccessibleDescription(
      new RegExp(say('They cannot be combined with a discount.').source.replace(/^\^|\$$/g, '')),
    );
    await expectSound(page, 'checkout with bonuses beside a discount');
    await shop.button('Remove promo code {0}', { 0: 'BASILICO10' }).click();
    await expect(shop.bonuses()).toBeEnabled();
  });

  let id = 0;
  await test.step('the order is paid with them, the present comes along', async () => {
    await answerTo(page, '/cart/gift/apply-bonuses', () => shop.bonuses().check());
    await shop.takeGift(present);
    await expectSound(page, 'checkout with a present');
    await shop.chooseEarliest();
    await shop.introduce('Анна');
    id = await shop.placeOrder();
    await expect(shop.sum('Bonuses')).toContainText(/−\s?300/);
    await expect(page.getByRole('list', { name: say('What is ordered') })).toContainText(present);
    await expectSound(page, 'tracking of an order with bonuses');
  });

  /** Returns the customer's balance of bonuses, read in the customer's session. */
  const balance = () =>
    page.evaluate(async () => {
      const body = JSON.stringify({ city_id: 1, order_type: 'takeaway', shop_id: 302 });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/api/cart', { method: 'PUT', headers, body });
      return ((await answer.json()) as Schema<'CartAnswer'>).cart.bonus?.balance;
    });

  await test.step('they are gone with the order, and its own come when it is done', async () => {
    expect(await balance()).toBe(0);
    await stranger.operate('POST', `/orders/${id}/status`, { status: 'cooking' });
    await stranger.operate('POST', `/orders/${id}/status`, { status: 'done' });
    // 5 % of what was paid for the pizza: 449 less its share of the 300, of which packages bear a part.
    await expect.poll(balance).toBe(8.3);
    await shop.openHome('moscow');
    await shop.addWith('Маргарита', []);
    await expect(page.getByText(/8,30/).filter({ visible: true }).first()).toBeVisible();
  });
});

test('a link that was used signs nobody in', async ({ page, say, stranger, watch }) => {
  watch.expectRefusal(/^\/api\/user\/sign-in$/, 422);
  const link = await signInLink(stranger, newCustomer('pizza'));
  await page.goto(link);
  await expect(page).not.toHaveURL(/auth/);
  await page.goto(link);
  await expect(
    page.getByRole('heading', { name: say('This link cannot be used any more') }),
  ).toBeVisible();
  await expectSound(page, 'a used link');
});

test('the switch of the bonuses passes under the sums of the cart while its panel scrolls', async ({ page, say, stranger }) => {
  const shop = new Storefront(page, say);
  const customer = newCustomer('pizza');
  await giveBonuses(stranger, customer, given);
  const link = await signInLink(stranger, customer);
  await shop.openHome('moscow');
  await shop.pickUpAt('Покровка');
  await answerTo(page, '/cart/add', () => shop.addWith('Маргарита', []));
  await page.goto(link);
  await expect(page).toHaveURL(/\/moscow$/);
  await expect(shop.bonuses()).toBeVisible();
  /** Scrolls the panel until its sums are over the switch, and returns what is seen where the switch is. */
  const seen = () =>
    shop.bonuses().evaluate((control) => {
      const panel = control.closest('.overflow-y-auto');
      const bar = panel?.querySelector('dl')?.closest('.sticky');
      if (!bar || !panel) return 'no panel';
      const middle = (element: Element) => {
        const { top, height } = element.getBoundingClientRect();
        return top + height / 2;
      };
      panel.scrollTop += middle(control) - middle(bar);
      const { left, width } = control.getBoundingClientRect();
      const top = document.elementFromPoint(left + width / 2, middle(control));
      return top === control ? 'the switch' : bar.contains(top) ? 'the sums' : 'something else';
    });
  await expect.poll(seen).toBe('the sums');
});

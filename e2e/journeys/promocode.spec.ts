import type { Schema } from '../harness/caller.ts';
import { desktop, expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';
import { callsOf } from '../harness/watch.ts';

const applying = '/cart/gift/apply-promocode';

test.describe('on a phone', () => {
  test.use(phone);

  test('a code is refused with the reason, applied by Enter without an order, locked, taken away and ordered with', async ({
    page,
    say,
    watch,
  }) => {
    test.setTimeout(120_000);
    watch.expectRefusal(/^\/api\/cart\/gift\/apply-promocode$/, 422);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await shop.add('Эдамаме с морской солью');
    await shop.addMore('Эдамаме с морской солью', 2);
    await shop.goToCart();
    await shop.goToForm();
    await shop.introduce('Анна', '9161110002');
    const code = shop.promocode();

    await test.step('each refusal says why, and what was typed stays', async () => {
      const refusals: [string, RegExp][] = [
        ['ARIGATO', /от 1\s500.*ещё на 843/],
        ['SUMMER25', /действовал|начнёт действовать/],
        ['НЕТТАКОГО', /Такого промокода нет/],
      ];
      for (const [typed, why] of refusals) {
        await code.fill(typed);
        await answerTo(page, applying, () => shop.button('Apply').click());
        await expect(code).toHaveAccessibleDescription(why);
        await expect(code).toHaveValue(typed);
        await expect(code).toBeFocused();
      }
      await expectSound(page, 'a refused promocode');
    });

    await test.step('Enter applies the code and orders nothing', async () => {
      const calls = callsOf(page);
      await code.fill('umiko10');
      const answer = await answerTo(page, applying, () => page.keyboard.press('Enter'));
      const { cart } = (await answer.json()) as Schema<'CartAnswer'>;
      expect(cart.prices.discount).toBe(65.7);
      await expect(code).toHaveValue('UMIKO10');
      await expect(code).not.toBeEditable();
      await expect(shop.sum('Promo code {promocode}')).toContainText(/−\s?65,70/);
      expect(calls.filter((call) => call.includes('/order/'))).toEqual([]);
      await expect(page).toHaveURL(/step=2/);
      await expectSound(page, 'checkout with a promocode');
    });

    await test.step('taken away it costs what it did, and the field is open again', async () => {
      await shop.button('Remove promo code {0}', { 0: 'UMIKO10' }).click();
      await expect(code).toBeEditable();
      await expect(code).toHaveValue('');
      await expect(shop.sum('Promo code {promocode}')).toBeHidden();
    });

    await test.step('the order has the discount and its code', async () => {
      await code.fill('UMIKO10');
      await page.keyboard.press('Enter');
      await expect(shop.sum('Promo code {promocode}')).toBeVisible();
      await shop.chooseEarliest();
      await shop.placeOrder();
      await expect(shop.sum('Promo code {promocode}')).toContainText(/−\s?65,70/);
      await expect(page.getByText(say('Promo code {promocode}', { promocode: 'UMIKO10' }))).toBeVisible();
    });
  });
});

test.describe('in German on a desktop', () => {
  test.use({ ...desktop, brand: 'pizza', language: 'de' });

  test('a code of a gift puts it into the cart and takes it along when it goes', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Pokrowka');
    await shop.addWith('Margherita', []);
    await shop.addWith('Pepperoni', []);
    await shop.goToCart();
    await shop.promocode().fill('fondant');
    await page.keyboard.press('Enter');
    const present = page.getByRole('region', { name: say('Gifts') }).getByText(say('With the promo code'));
    await expect(present).toBeVisible();
    await expectSound(page, 'cart with a gift by a promocode');
    await shop.button('Remove promo code {0}', { 0: 'FONDANT' }).click();
    await expect(present).toBeHidden();
    await expect(shop.orderButton()).toBeVisible();
  });
});

import { Caller, type Schema } from '../harness/caller.ts';
import { timeZone } from '../harness/content.ts';
import { newCustomer, signIn } from '../harness/customers.ts';
import { placeOrder, takeaway } from '../harness/orders.ts';
import { expectSound, phone } from '../harness/screen.ts';
import { SignIn } from '../harness/sign-in.ts';
import { Storefront, startsWith } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

/** Returns the first clock time in a text, `-` when there is none. */
const clockIn = (text: string | null) => /\d\d:\d\d/.exec(text ?? '')?.[0] ?? '-';

test.describe('a time of this cart', () => {
  test.use({ ...phone, brand: 'shawarma' });

  test('is shown, chosen and promised alike, when others have taken the next three intervals', async ({
    page,
    say,
    program,
    stranger,
  }) => {
    test.setTimeout(120_000);
    // Of 240 minutes of work in an interval eight are left: two portions of four minutes.
    const rest = { place: { ...takeaway, shop_id: 201 }, alias: 'samsa-s-baraninoy', count: 58 };
    const others = new Caller(program, 'shawarma');
    await signIn(others, newCustomer('shawarma'));
    for (let interval = 0; interval < 3; interval += 1) await placeOrder(others, rest);

    const customer = newCustomer('shawarma');
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Мясницкая');
    const samsa = shop.dish('Самса с бараниной');
    await samsa.getByRole('button', { name: say('Add to cart: {name}, {written}') }).click();
    await samsa.getByRole('button', { name: say('Add {step}: {name}', { step: 2 }) }).click();
    await shop.goToCart();
    await page.getByRole('button', { name: startsWith(say('Sign in and order')) }).click();
    await new SignIn(page, say, program).finish(customer);
    await expect(page).toHaveURL(/\/moscow\/cart\?step=2$/);
    await shop.chooseEarliest();
    const shown = clockIn(await shop.times().first().textContent());
    await expect(shop.orderTime()).toContainText(shown);
    await shop.introduce('Анна');
    const id = await shop.placeOrder();

    const { orders } = await stranger.operate<{ orders: Schema<'OperatorOrder'>[] }>('GET', '/orders?limit=500');
    const order = orders.find((one) => one.order_id === id);
    const promised = new Date(order?.promised_to ?? '').toLocaleString('ru', { timeZone });
    expect(clockIn(promised)).toBe(shown);
    expect(Date.parse(order?.promised_to ?? '') - Date.now()).toBeGreaterThan(60 * 60_000);
  });
});

test.describe('a time of another day', () => {
  test.use(phone);

  test('is shown with its day from the header to the order', async ({ page, say, reply }) => {
    test.setTimeout(120_000);
    const shop = new Storefront(page, say);

    await test.step('the header promises tomorrow where the shop is closed today', async () => {
      await shop.openHome('moscow');
      const dialog = await shop.openPlace();
      await shop.chooseTakeaway(dialog);
      await dialog.getByRole('button', { name: say('Choose: {name}', { name: 'Умико на Бауманской' }) }).click();
      await shop.button('Choose the shop').click();
      await expect(dialog).toBeHidden();
      await expect(shop.promiseButton()).toContainText(/завтра с \d\d:\d\d/);
      await expectSound(page, 'home of a shop that is closed today');
    });

    await test.step('so do the times of the checkout, with a word on why', async () => {
      await shop.add('Эдамаме с морской солью');
      await shop.goToCart();
      await shop.goToForm();
      // Before four in the morning the day is still that of the night shift, which is over.
      const closed = page.getByText(reply('schedule.shop_closed_today'));
      await expect(closed.or(page.getByText(reply('schedule.shop_no_longer')))).toBeVisible();
      await expect(shop.times().first()).toContainText('завтра');
      await expectSound(page, 'checkout of a shop that is closed today');
    });

    const line = shop.orderTime();
    await test.step('a day after that is on the button too', async () => {
      await shop.button('Another time').click();
      const day = shop.dialog().getByRole('group', { name: say('Day') }).getByRole('button').nth(2);
      const words = (await day.textContent()) ?? '-';
      // The chip of a day begins with a capital letter, which its name has not within a sentence.
      const within = new RegExp(words, 'iu');
      await day.click();
      await expect(day).toHaveAttribute('aria-pressed', 'true');
      await shop.dialog().getByRole('listitem').getByRole('button', { disabled: false }).last().click();
      await expect(shop.dialog()).toBeHidden();
      await expect(shop.times().first()).toContainText(within);
      await expect(line).toContainText(within);
      await expectSound(page, 'checkout for another day');
      const date = words.slice(words.indexOf(',') + 2);
      const clock = clockIn(await line.textContent());
      await shop.openHome('moscow');
      await expect(shop.promiseButton()).toContainText(`${date} с ${clock}`);
      await page.goBack();
    });

    await test.step('and by the order', async () => {
      const clock = clockIn(await line.textContent());
      await shop.introduce('Анна', '9161110012');
      await shop.placeOrder();
      await expect(shop.state()).toContainText(clock);
      await expect(shop.state()).toContainText(/ \d{1,2} [а-я]+ с \d\d:\d\d/);
    });
  });
});

import { Caller } from '../harness/caller.ts';
import { letterTo, lettersTo, newCustomer } from '../harness/customers.ts';
import { tabTo } from '../harness/keyboard.ts';
import { desktop, expectSound, phone } from '../harness/screen.ts';
import { SignIn } from '../harness/sign-in.ts';
import { startsWith, Storefront } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';

test.describe('from the header', () => {
  test.use(desktop);

  test('a newcomer signs in by a code, keeps the cart, and signs out again', async ({ page, say, program }) => {
    test.setTimeout(120_000);
    const customer = newCustomer('sushi');
    const shop = new Storefront(page, say);
    const login = new SignIn(page, say, program);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await shop.add('Эдамаме с морской солью');
    await login.entry().click();
    await login.requestCode(customer);
    const { channel, text, code } = await letterTo(program, customer);
    expect({ channel, isInText: text?.includes(code) }).toEqual({ channel: 'sms', isInText: true });

    await test.step('a reload in between loses nothing', async () => {
      await page.reload();
      await expect(login.code()).toBeVisible();
      expect(await lettersTo(program, customer)).toHaveLength(1);
    });

    await login.enterCode(customer);
    await expect(page.getByText(say('You are signed in'))).toBeVisible();
    await expect(login.profile()).toBeVisible();
    await expect(shop.promiseButton()).toContainText('Умико на Новослободской');
    await shop.goToCart();
    await expect(page.getByText('Эдамаме с морской солью').first()).toBeVisible();

    await test.step('and is a guest again', async () => {
      await login.profile().click();
      await expectSound(page, 'menu of a customer');
      await shop.button('Sign out').click();
      await expect(login.entry()).toBeVisible();
      await expect(page).toHaveURL(/\/moscow$/);
      await page.goto('/moscow/cart');
      await expect(page).toHaveURL(/\/moscow$/);
      await expect(page.getByText(say('The cart is empty'))).toBeVisible();
    });
  });

  test('a page of the profile asks a guest to sign in, and is there afterwards; by the keyboard alone', async ({
    page,
    say,
    program,
  }) => {
    const customer = newCustomer('sushi');
    const login = new SignIn(page, say, program);
    await page.goto('/moscow/profile?tab=orders');
    await expect(login.phone()).toBeFocused();
    await expectSound(page, 'sign-in, the phone');
    await page.keyboard.press('Escape');
    await expect(login.dialog()).toBeHidden();
    await tabTo(page, page.getByRole('main').getByRole('button', { name: say('common.sign-in') }));
    await page.keyboard.press('Enter');
    await expect(login.phone()).toBeFocused();
    await page.keyboard.type(customer.phone.slice(1));
    await page.keyboard.press('Enter');
    await expect(login.code()).toBeFocused();
    await expectSound(page, 'sign-in, the code');
    await expect(login.code()).toBeFocused();
    await page.keyboard.type((await letterTo(program, customer)).code);
    await expect(login.dialog()).toBeHidden();
    await expect(page).toHaveURL(/\/moscow\/profile\?tab=orders$/);
    await expect(page.getByRole('heading', { name: say('You have no orders yet') })).toBeVisible();
    await expectSound(page, 'profile without orders');
  });
});

test.describe('to order, on a phone', () => {
  test.use({ ...phone, brand: 'shawarma', language: 'uz' });

  test('who has to sign in goes on to the form, and orders with the phone of the account', async ({ page, say, program, stranger }) => {
    test.setTimeout(120_000);
    const customer = newCustomer('shawarma');
    const shop = new Storefront(page, say);
    const login = new SignIn(page, say, program);
    await shop.openHome('moscow');
    await shop.pickUpAt('Myasnitskaya');
    await shop.add('Ayron');
    await shop.goToCart();
    await page.getByRole('button', { name: startsWith(say('Sign in and order')) }).click();
    await login.finish(customer);
    await expect(page).toHaveURL(/\/moscow\/cart\?step=2$/);
    await shop.chooseEarliest();
    await shop.introduce('Anvar');
    await expectSound(page, 'form of a customer');
    const id = await shop.placeOrder();
    const found = await stranger.call('POST', '/order/status', { order_id: id, phone: customer.phone });
    expect(found.status).toBe(200);
  });
});

test.describe('to order, on a desktop', () => {
  test.use({ ...desktop, brand: 'shawarma', language: 'tr' });

  test('a pasted number and a pasted code lead to the cart, and the order goes on', async ({ page, say, program, context }) => {
    test.setTimeout(120_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const paste = async (text: string) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.keyboard.press('Control+V');
    };
    const customer = newCustomer('shawarma');
    const shop = new Storefront(page, say);
    const login = new SignIn(page, say, program);
    await shop.openHome('moscow');
    await shop.pickUpAt('Myasnitskaya');
    await shop.add('Ayran');
    await page.getByRole('button', { name: startsWith(say('Sign in and order')) }).click();
    await expect(login.phone()).toBeFocused();
    const [, area, first, second, third] = /^7(\d{3})(\d{3})(\d\d)(\d\d)$/.exec(customer.phone) ?? [];
    await paste(`8 (${area}) ${first}-${second}-${third}`);
    await page.keyboard.press('Enter');
    await expect(login.code()).toBeFocused();
    const { code } = await letterTo(program, customer);
    await paste(`Kodunuz: ${code}.`);
    await expect(login.dialog()).toBeHidden();
    await expect(page).toHaveURL(/\/moscow\/cart$/);
    await shop.chooseEarliest();
    await shop.introduce('Ayşe');
    await shop.placeOrder();
  });
});

test.describe('what goes wrong', () => {
  test.use(phone);

  test('a wrong code is cleared and counted, a used-up one is reported, and a call brings another', async ({
    page,
    say,
    program,
    watch,
  }) => {
    test.setTimeout(150_000);
    watch.expectRefusal(/^\/api\/user\/check-verification-code$/, 422);
    const customer = newCustomer('sushi');
    const shop = new Storefront(page, say);
    const login = new SignIn(page, say, program);
    await shop.openHome('moscow');
    await login.entry().click();
    await login.requestCode(customer);
    const { code } = await letterTo(program, customer);
    const wrong = code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));
    for (const left of [4, 3, 2, 1]) {
      await answerTo(page, '/user/check-verification-code', () => login.code().pressSequentially(wrong));
      await expect(login.code()).toHaveValue('');
      await expect(login.code()).toBeFocused();
      await expect(login.code()).toHaveAccessibleDescription(new RegExp(String(left)));
    }
    await expectSound(page, 'sign-in, a wrong code');
    await answerTo(page, '/user/check-verification-code', () => login.code().pressSequentially(wrong));
    await expect(login.code()).toBeDisabled();
    await expectSound(page, 'sign-in, a code that is used up');
    // The brand lets a customer wait a minute before another code.
    const again = shop.button('Call me with a new code');
    await expect(again).toBeVisible({ timeout: 70_000 });
    await again.click();
    expect((await letterTo(program, customer, 2)).channel).toBe('call');
    await expect(login.code()).toBeEnabled();
    await login.enterCode(customer, 2);
    await expect(login.profile()).toBeVisible();
  });

  test('too many codes for a phone: it is said under the phone', async ({ page, say, program, stranger, watch }) => {
    watch.expectRefusal(/^\/api\/user\/login$/, 429);
    const customer = newCustomer('sushi');
    const shop = new Storefront(page, say);
    const login = new SignIn(page, say, program);
    await stranger.ask('POST', '/user/login', { city_id: 1, phone: customer.phone, notify_channel: 'sms' });
    await shop.openHome('moscow');
    await login.entry().click();
    await login.phone().pressSequentially(customer.phone.slice(1));
    await shop.button('Get a code by SMS').click();
    await expect(login.phone()).toHaveAccessibleDescription(/Слишком много попыток! Повторите позже/);
    await expectSound(page, 'sign-in, too many codes');

    await test.step('another phone can be signed in with at once', async () => {
      const other = newCustomer('sushi');
      await login.phone().fill(`+7${other.phone.slice(1)}`);
      const ask = shop.button('Get a code by SMS');
      await expect(ask).not.toHaveAttribute('aria-disabled', 'true');
      await ask.click();
      await login.enterCode(other);
      await expect(login.profile()).toBeVisible();
    });
  });

  test('somebody who was asked for a code elsewhere cannot tell it here', async ({ page, say, program, watch }) => {
    watch.expectRefusal(/^\/api\/user\/check-verification-code$/, 422);
    const customer = newCustomer('sushi');
    const login = new SignIn(page, say, program);
    await new Storefront(page, say).openHome('moscow');
    await login.entry().click();
    await login.requestCode(customer);
    const { code } = await letterTo(program, customer);
    const thief = new Caller(program, 'sushi');
    const answer = await thief.call('POST', '/user/check-verification-code', { code });
    expect(answer.status).toBe(422);
    await login.enterCode(customer);
  });
});

for (const device of [phone, desktop]) {
  test.describe(`where nobody signs in, ${device === phone ? 'on a phone' : 'on a desktop'}`, () => {
    test.use({ ...device, brand: 'shawarma', content: 'anonymous' });

    test('an order is looked up instead, and the profile says so', async ({ page, say }) => {
      const shop = new Storefront(page, say);
      await shop.openHome('moscow');
      await expect(page.getByRole('button', { name: say('common.sign-in') })).toHaveCount(0);
      const entry = shop.button('Order status').or(shop.button('My order'));
      await entry.filter({ visible: true }).first().click();
      await expect(shop.dialog().getByRole('textbox', { name: say('Order number') })).toBeVisible();
      await page.keyboard.press('Escape');
      await page.goto('/moscow/profile');
      await expect(shop.dialog().getByRole('textbox', { name: say('Order number') })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('heading', { name: say('You order here without an account') })).toBeVisible();
      await expectSound(page, 'profile where nobody signs in');
    });
  });
}

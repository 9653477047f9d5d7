import { readFile } from 'node:fs/promises';
import { Caller, type Schema } from '../harness/caller.ts';
import { newCustomer, saveAddress, signIn, signInLink } from '../harness/customers.ts';
import { tabTo } from '../harness/keyboard.ts';
import { fillCart, placeOrder, takeaway } from '../harness/orders.ts';
import { desktop, expectSound, phone } from '../harness/screen.ts';
import { SignIn } from '../harness/sign-in.ts';
import { Storefront } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';

test.describe('on a desktop', () => {
  test.use(desktop);

  test('a customer fills in the profile, chooses consents and takes the data along', async ({ page, say, stranger }) => {
    const shop = new Storefront(page, say);
    const customer = newCustomer('sushi');
    await page.goto(await signInLink(stranger, customer));
    await expect(page).not.toHaveURL(/auth/);
    await page.goto('/moscow/profile');
    const field = (id: string) => page.getByRole('textbox', { name: say(id) });
    const boxes = page.getByRole('group', { name: say('What you agree to') }).getByRole('checkbox');
    await expect(field('Phone')).not.toBeEditable();
    await expect(boxes).toHaveCount(2);
    for (const box of await boxes.all()) await expect(box).not.toBeChecked();

    await test.step('what is wrong is said at its field', async () => {
      await field('Your name').fill('Анна');
      await field('Birthday').pressSequentially('31.02.1990');
      await field('E-mail').fill('анна');
      await shop.button('Save').click();
      await expect(field('Birthday')).toHaveAttribute('aria-invalid', 'true');
      await expect(field('E-mail')).toHaveAttribute('aria-invalid', 'true');
      await expectSound(page, 'profile with faults');
    });

    await test.step('what is right is kept', async () => {
      await field('Birthday').fill('28.02.1990');
      await field('E-mail').fill('anna@example.org');
      await page.getByRole('radio', { name: say('Female') }).check();
      await boxes.first().check();
      const answer = await answerTo(page, '/user/update', () => shop.button('Save').click());
      expect(answer.status()).toBe(200);
      await page.reload();
      await expect(field('Your name')).toHaveValue('Анна');
      await expect(field('Birthday')).toHaveValue('28.02.1990');
      await expect(page.getByRole('radio', { name: say('Female') })).toBeChecked();
      await expect(boxes.first()).toBeChecked();
      await expect(boxes.last()).not.toBeChecked();
      await expectSound(page, 'profile');
    });

    await test.step('all that is kept comes as a file', async () => {
      const [file] = await Promise.all([page.waitForEvent('download'), shop.button('Download my data').click()]);
      const data = JSON.parse(await readFile(await file.path(), 'utf8')) as Schema<'UserExport'>;
      expect(data.user).toMatchObject({ phone: customer.phone, name: 'Анна', email: 'anna@example.org', birthday: '28.02.1990' });
      expect(data.consents).toMatchObject([{ is_given: true }]);
    });
  });

  test('another browser of the customer is signed out from here', async ({ page, say, stranger, elsewhere, program }) => {
    const shop = new Storefront(page, say);
    const customer = newCustomer('sushi');
    const there = await elsewhere.newPage();
    await there.goto(await signInLink(stranger, customer));
    await expect(there).not.toHaveURL(/auth/);
    await page.goto(await signInLink(stranger, customer));
    await expect(page).not.toHaveURL(/auth/);
    await page.goto('/moscow/profile');
    await expect(page.getByText(say('Active now'))).toBeVisible();
    await shop.button('Sign out of {name}').click();
    await expect(shop.button('Sign out of {name}')).toHaveCount(0);
    await new Storefront(there, say).openHome('moscow');
    await expect(new SignIn(there, say, program).entry()).toBeVisible();
  });

  test('a session that ends during the checkout is signed in again, and the order is placed for the chosen time', async ({ page, say, stranger, program, watch }) => {
    const shop = new Storefront(page, say);
    const customer = newCustomer('sushi');
    await page.goto(await signInLink(stranger, customer));
    await expect(page).not.toHaveURL(/auth/);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await shop.add('Эдамаме с морской солью');
    await shop.goToCart();
    await shop.chooseEarliest();
    await page.getByRole('textbox', { name: say('Your name') }).fill('Анна');
    await page.context().clearCookies({ name: 'session' });
    watch.expectRefusal(/create-order-cache$/, 409);
    await shop.orderButton().click();
    const signIn = new SignIn(page, say, program);
    await expect(signIn.phone()).toBeVisible();
    await signIn.finish(customer);
    await expect(page).toHaveURL(/\/cart/);
    await shop.placeOrder();
  });

  test('a place that is chosen in one tab holds in the others', async ({ page, context, say }) => {
    const [shop, other] = [new Storefront(page, say), new Storefront(await context.newPage(), say)];
    await other.openHome('moscow');
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await expect(other.promiseButton()).toContainText('Новослободск');
    await answerTo(page, '/cart/add', () => shop.add('Эдамаме с морской солью'));
    await other.page.reload();
    await other.goToCart();
    await shop.goToCart();
    await expect(shop.orderTime()).toBeVisible();
    await expect(page.getByText(say('Takeaway: {line}')).filter({ visible: true })).toBeVisible();
  });

  test('an address in another city leads to that city, where it is chosen', async ({ page, say, program, stranger }) => {
    const shop = new Storefront(page, say);
    const customer = newCustomer('sushi');
    const atHome = new Caller(program, 'sushi');
    await signIn(atHome, customer);
    const chosen = await saveAddress(atHome, 'kazan', 'Баумана 20');
    await page.goto(await signInLink(stranger, customer));
    await expect(page).not.toHaveURL(/auth/);
    await page.goto('/moscow/profile?tab=addresses');
    const row = page.getByRole('main').getByRole('button', { name: new RegExp(chosen.address) }).first();
    await row.click();
    await expectSound(page, 'question about another city');
    const landed = page.waitForURL(
      new RegExp(`/kazan/profile\\?tab=addresses&delivery_address_id=${chosen.id}$`),
    );
    await shop.button('Deliver there').click();
    await landed;
    await expect(row).toHaveAttribute('aria-pressed', 'true');
    await expect(page).toHaveURL(/\/kazan\/profile\?tab=addresses$/);
    await expectSound(page, 'addresses');
    await shop.openHome('kazan');
    await expect(shop.promiseButton()).toContainText(chosen.address);
  });
});

test.describe('on a phone', () => {
  test.use({ ...phone, language: 'tr' });

  test('orders stand by their days, open, are canceled and repeated', async ({ page, say, program, stranger, watch }) => {
    test.setTimeout(120_000);
    watch.expectRefusal(/^\/api\/order\/repeat$/, 409);
    const shop = new Storefront(page, say);
    const customer = newCustomer('sushi');
    const atHome = new Caller(program, 'sushi', 'tr');
    await signIn(atHome, customer);
    const first = await placeOrder(atHome);
    await stranger.operate('POST', `/orders/${first.order_id}/status`, { status: 'cooking' });
    await stranger.operate('POST', `/orders/${first.order_id}/status`, { status: 'done' });
    const second = await placeOrder(atHome);
    await page.goto(await signInLink(stranger, customer));
    await expect(page).not.toHaveURL(/auth/);
    await page.goto('/moscow/profile');
    await page.getByRole('navigation', { name: say('Profile') }).or(page.getByRole('tablist')).first().getByText(say('Orders')).click();
    await expect(page).toHaveURL(/tab=orders$/);
    const card = (id: number) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: say('Order no. {orderId}', { orderId: id }) }) });
    await expect(card(second.order_id)).toBeVisible();
    await answerTo(page, `/order/${first.order_id}`, () => card(first.order_id).getByText(say('What is in it')).click());
    await expect(card(first.order_id)).toContainText('Edamame');
    await expectSound(page, 'orders of a customer');

    await card(second.order_id).getByRole('button', { name: say('Cancel the order') }).click();
    await shop.dialog().getByRole('button', { name: say('Cancel the order') }).click();
    await expect(card(second.order_id).getByRole('button', { name: say('Cancel the order') })).toHaveCount(0);
    await atHome.ask('DELETE', '/cart/clear?city_id=1');
    await fillCart(atHome, takeaway, 'maki-ogurets', 2);
    await card(first.order_id).getByRole('button', { name: say('Order again') }).click();
    await expectSound(page, 'what becomes of the filled cart');
    await shop.dialog().getByRole('button', { name: say('Add to them') }).click();
    await expect(page).toHaveURL(/\/moscow\/cart$/);
    const dishes = page.getByRole('main').getByRole('list').first().getByRole('listitem');
    await expect(dishes).toHaveCount(2);
    await page.getByRole('button', { name: say('order.order-actions.undo') }).click();
    await expect(dishes).toHaveCount(1);
    await expect(dishes).toContainText('Salatalıklı');
  });
});

test.describe('in German on a phone', () => {
  test.use({ ...phone, language: 'de' });

  test('an account is deleted by the keyboard, and nothing of it is left on the page', async ({ page, say, program, stranger }) => {
    const shop = new Storefront(page, say);
    const login = new SignIn(page, say, program);
    const customer = newCustomer('sushi');
    const atHome = new Caller(program, 'sushi');
    await signIn(atHome, customer);
    await page.goto(await signInLink(stranger, customer));
    await expect(page).not.toHaveURL(/auth/);
    await page.goto('/moscow/profile');
    await tabTo(page, shop.button('Delete the account'));
    await page.keyboard.press('Enter');
    await expect(shop.dialog().getByText(say('What is deleted at once'))).toBeVisible();
    await expectSound(page, 'question before deleting');
    await tabTo(page, shop.button('Delete for good'));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: say('The account is deleted') })).toBeVisible();
    await expectSound(page, 'a deleted account');
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/moscow$/);
    await shop.ready();
    await expect(login.entry()).toBeVisible();
    expect((await atHome.call('GET', '/user/get')).status).toBe(401);
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept).not.toContain(customer.phone.slice(1));

    await test.step('the phone begins again', async () => {
      await signIn(atHome, customer);
      const { user } = await atHome.ask<{ user: Schema<'User'> }>('GET', '/user/get');
      expect(user.name).toBe('');
    });
  });
});

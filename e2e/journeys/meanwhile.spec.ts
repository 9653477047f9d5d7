import { moscow, placeOrder } from '../harness/orders.ts';
import { Storefront } from '../harness/storefront.ts';
import { expectAccessible, phone } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test.use(phone);

/** Fills the cart, goes to the second step of the checkout, and enters name and phone. */
async function checkOut(shop: Storefront) {
  await shop.openHome('moscow');
  await shop.pickUpAt('Умико на Новослободской');
  await shop.add('Эдамаме с морской солью');
  await shop.goToCart();
  await shop.goToForm();
  await shop.introduce('Анна', '9161234567');
}

/** Expects the name and the phone that `checkOut` has typed to be still in the form. */
async function expectNothingLost(shop: Storefront) {
  await expect(shop.page.getByRole('textbox', { name: shop.say('Your name') })).toHaveValue('Анна');
  await expect(shop.page.getByRole('textbox', { name: shop.say('Phone') })).toHaveValue('+7 (916) 123-45-67');
}

test('a dish that ran out while it lay in the cart is shown, and the rest can be ordered', async ({
  page,
  say,
  stranger,
  watch,
}) => {
  watch.expectRefusal(/^\/api\/order\/create(-order-cache)?$/, 409);
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await shop.pickUpAt('Умико на Новослободской');
  await shop.add('Эдамаме с морской солью');
  await shop.add('Салат чука');
  await shop.goToCart();
  await shop.goToForm();
  await shop.introduce('Анна', '9161234567');
  await shop.chooseEarliest();

  const stop = { site: 'sushi', kind: 'product', alias: 'chuka-salat' };
  await stranger.operate('POST', '/stops', stop);
  await shop.orderButton().click();
  const reason = page.getByText(/Салат чука.*(закончил|нельзя заказать)/);
  await expect(reason.filter({ visible: true }).first()).toBeVisible();
  await expectNothingLost(shop);
  await stranger.operate('POST', '/stops', { ...stop, off: true });
});

test('a total that the page has tampered with is not believed', async ({ page, say, watch }) => {
  watch.expectRefusal(/^\/api\/order\/create$/, 409);
  const shop = new Storefront(page, say);
  await checkOut(shop);
  await shop.chooseEarliest();
  await page.route('**/api/order/create', async (route) => {
    const body = route.request().postDataJSON();
    await route.continue({ postData: { ...body, cart: { prices: { total: 1 } } } });
  });
  await shop.orderButton().click();
  await expect(page.getByText('Сумма заказа изменилась').first()).toBeVisible();
  await expectNothingLost(shop);
  await page.unroute('**/api/order/create');
  await shop.agreeToChanges();
  await shop.placeOrder();
});

test('below the minimum of the zone the order button says what is missing', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await shop.deliverTo('новослободская 20', /Новослободская улица, 20/, '5');
  await shop.add('Эдамаме с морской солью');
  await shop.goToCart();
  const order = page
    .getByRole('button', { name: say('{0} more to order') })
    .filter({ visible: true });
  await expect(order).toBeDisabled();
  await expect(page.getByText(say('The minimum order for this address is {0}.')).filter({ visible: true })).toBeVisible();
});

test('an address outside of the zones offers the nearest shop and a message when that changes', async ({
  page,
  say,
}) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  const dialog = await shop.openPlace();
  await shop.enterAddress(dialog, moscow.outside, new RegExp(moscow.outside));
  await expect(dialog.getByText(say('We do not deliver here yet'))).toBeVisible();
  await expectAccessible(page, 'an address that is not delivered to');
  await dialog.getByRole('textbox', { name: say('Phone, to hear when we deliver there') }).pressSequentially('9161234567');
  await dialog.getByRole('button', { name: say('Notify me') }).click();
  await expect(
    dialog.getByText(say('Thank you. We will let you know when we deliver there.')),
  ).toBeVisible();
  await dialog.getByRole('button', { name: say('Pick it up at {0}') }).click();
  const question = shop.dialog();
  await question.getByRole('button', { name: say('Pick it up here') }).or(shop.promiseButton()).first().click();
});

test('an address that nobody knows is distinguished from one that is far', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  const dialog = await shop.openPlace();
  await dialog.getByRole('combobox', { name: say('Street and house') }).fill('Улица Несуществующая, 1');
  await dialog.getByRole('button', { name: say('Check the address') }).click();
  await expect(dialog.getByText(/не (нашли|знаем)/i)).toBeVisible();
  await expect(dialog.getByRole('combobox')).toHaveValue('Улица Несуществующая, 1');
});

test('what the modifiers demand is said on the button, which waits for it', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  const dialog = await shop.open('Свой вок');
  await expect(shop.addButton(dialog)).toBeDisabled();
  await expect(dialog.getByText(say('Choose: {0}'))).toBeVisible();
  for (const modifier of ['Удон', 'Терияки', 'Курица']) await shop.choose(dialog, modifier);
  await expect(shop.addButton(dialog)).toBeEnabled();
  const chicken = dialog.getByRole('button', { name: say('Add one: {name}', { name: 'Курица' }) });
  await chicken.click();
  await shop.choose(dialog, 'Тофу');
  await expect(chicken).toBeDisabled();
});

test("somebody else's order asks for the phone it was placed with", async ({
  page,
  say,
  stranger,
  watch,
}) => {
  const { order_id: id } = await placeOrder(stranger);
  watch.expectRefusal(new RegExp(`^/api/order/${id}(/events)?$`), 404);
  watch.expectRefusal(/^\/api\/order\/status$/, 404);
  watch.expectRefusal(/^\/api\/order\/status$/, 422);
  await page.goto(`/moscow/order/${id}/tracking`);
  await expect(page.getByRole('heading', { level: 1, name: say('Where is my order') })).toBeVisible();
  await page.getByRole('textbox', { name: say('Phone') }).pressSequentially('9990000000');
  await page.getByRole('button', { name: say('Find the order') }).click();
  await expect(page.getByText(/Заказ не найден/)).toBeVisible();
  await expectAccessible(page, 'look-up that found nothing');
});

test('a shop that is closed today says so', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  const dialog = await shop.openPlace();
  await shop.chooseTakeaway(dialog);
  const card = dialog.getByRole('article').filter({ hasText: 'Бауманская' });
  // Until four in the morning it is still yesterday's shift, which is over.
  await expect(card).toContainText(/Сегодня ресторан не работает|Ресторан уже закрыт/);
});

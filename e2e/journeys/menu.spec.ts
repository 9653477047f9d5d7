import type { Schema } from '../harness/caller.ts';
import { desktop, expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';

/** Searches for a mistyped dish, expects the dish to be found, and adds it to the cart. */
async function findAndAdd(shop: Storefront, typed: string, name: string) {
  const { page, say } = shop;
  await shop.button('Search the menu').click();
  const dialog = shop.dialog();
  await expect(dialog.getByRole('list', { name: say('Often ordered') })).toBeVisible();
  await dialog.getByRole('searchbox').fill(typed);
  const found = dialog.getByRole('list', { name: say('Found') });
  await expect(found).toContainText(name);
  await expectSound(page, 'search');
  const dish = found.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) });
  await dish.getByRole('button', { name: say('Add to cart: {name}, {written}') }).click();
  await expect(dish.getByRole('button', { name: say('Add one: {name}', { name }) })).toBeVisible();
  await dialog.getByRole('button', { name: say('Close') }).click();
  await expect(dialog).toBeHidden();
}

test.describe('in Russian on a phone', () => {
  test.use(phone);

  test('a mistyped dish is found and added', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await findAndAdd(shop, 'эдомаме', 'Эдамаме с морской солью');
    await shop.goToCart();
    await expect(page.getByText('Эдамаме с морской солью')).toBeVisible();
  });

  test('what the menu does not have is said, with another way to go on', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.button('Search the menu').click();
    await shop.dialog().getByRole('searchbox').fill('пельмени');
    await expect(
      shop.dialog().getByRole('heading', { name: say('There is no such dish') }),
    ).toBeVisible();
    await expectSound(page, 'search that found nothing');
    await shop.dialog().getByRole('link', { name: 'Супы' }).click();
    await expect(page).toHaveURL(/group=soups/);
  });

  test('what is not eaten is greyed in the menu, warned of in the cart and shown to the kitchen', async ({
    page,
    say,
    stranger,
  }) => {
    test.setTimeout(120_000);
    const shop = new Storefront(page, say);
    const cheesecake = 'Чизкейк с клубникой';
    const edamame = 'Эдамаме с морской солью';
    const contains = say('Contains {names}', { names: 'молоко' });
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');

    await test.step('it is chosen once, and the menu marks what has it', async () => {
      await expect(shop.dish(cheesecake)).not.toContainText(/Содержит/);
      await shop.button("I don't eat…").filter({ visible: true }).click();
      await shop.dialog().getByRole('checkbox', { name: /молоко/i }).check();
      await expectSound(page, 'what is not eaten');
      await shop.dialog().getByRole('button', { name: say('Done') }).click();
      await expect(shop.dish(cheesecake).getByText(contains)).toBeVisible();
      await expect(shop.dish(edamame).getByText(contains)).toBeHidden();
      await expectSound(page, 'menu with what is not eaten');
    });

    await test.step('it can be ordered all the same, with a warning', async () => {
      await shop.add(cheesecake);
      await shop.add(edamame);
      await shop.goToCart();
      const lines = page.getByRole('list', { name: say('Products in the cart') });
      await expect(lines.getByText(contains)).toHaveCount(1);
      await expectSound(page, 'cart with what is not eaten');
    });

    await test.step('the kitchen reads it on the ticket', async () => {
      await shop.goToForm();
      await shop.chooseEarliest();
      await shop.introduce('Анна', '9161110006');
      const id = await shop.placeOrder();
      const { orders } = await stranger.operate<{ orders: Schema<'OperatorOrder'>[] }>('GET', '/orders?limit=500');
      expect(orders.find((order) => order.order_id === id)?.ticket).toMatch(/молок/);
    });
  });
});

test.describe('in Turkish on a desktop', () => {
  test.use({ ...desktop, brand: 'shawarma', language: 'tr' });

  test('a mistyped dish is found and added', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Myasnitskaya');
    await findAndAdd(shop, 'ayrna', 'Ayran');
    await expect(page.getByRole('list', { name: say('Products in the cart') })).toContainText('Ayran');
  });
});

test.describe('modifiers of which some are free', () => {
  test.use({ ...phone, brand: 'pizza' });

  test('cost in the dish what they cost in the cart: the dearest nothing, the rest its price', async ({
    page,
    say,
  }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Покровка');
    const dialog = await shop.open('Маргарита');
    const add = shop.addButton(dialog);
    await expect(add).toContainText(/449/);
    for (const topping of [/^Маслины/, /^Моцарелла/, /^Пепперони/]) {
      await dialog.getByRole('checkbox', { name: topping }).check();
    }
    // Two of them are free: pepperoni for 79 and mozzarella for 69; olives are 45.
    await expect(add).toContainText(/494/);
    await expect(dialog.getByText(say('included'), { exact: true })).toHaveCount(2);
    await expectSound(page, 'a dish with free modifiers');
    const answer = await answerTo(page, '/cart/add', () => add.click());
    const { cart } = (await answer.json()) as Schema<'CartAnswer'>;
    expect(Object.values(cart.products).map((line) => line.total)).toEqual([494]);
    await shop.goToCart();
    await expect(page.getByRole('list', { name: say('Products in the cart') })).toContainText(/494/);
  });
});

import type { Schema } from '../harness/caller.ts';
import { expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

test.use(phone);

const edamame = 'Эдамаме с морской солью';
const gift = 'Панна-котта тем, кто заберёт сам';

test('a gift is won with one dish more and lost with it, which needs a tap; won again it is ordered', async ({
  page,
  say,
  stranger,
}) => {
  test.setTimeout(120_000);
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await shop.pickUpAt('Умико на Новослободской');
  await shop.add(edamame);
  await shop.addMore(edamame, 4);
  await shop.goToCart();

  await test.step('what is missing is shown, and nothing can be taken before', async () => {
    await expect(shop.gift(gift)).toContainText(/ещё на 105/);
    await expect(shop.gift(gift).getByRole('button')).toHaveCount(0);
    await expectSound(page, 'cart with gifts to win');
  });

  await test.step('one dish more wins it', async () => {
    await shop.addMore(edamame, 1);
    await shop.takeGift(gift);
    await expectSound(page, 'cart with a gift');
  });

  await test.step('without that dish it leaves with a message, and the order waits for a tap', async () => {
    await shop.button('Take one away: {name}', { name: edamame }).click();
    await expect(shop.changes()).toContainText(gift);
    await expect(shop.gift(gift)).toContainText(/ещё на 105/);
    await expectSound(page, 'cart that lost a gift');
    await shop.agreeToChanges();
  });

  await test.step('won again it is ordered, and the kitchen knows it from what is sold', async () => {
    await shop.addMore(edamame, 1);
    await shop.takeGift(gift);
    await shop.goToForm();
    await shop.chooseEarliest();
    await shop.introduce('Анна', '9161110001');
    const id = await shop.placeOrder();
    await expect(page.getByRole('list', { name: say('What is ordered') })).toContainText(gift);
    const { orders } = await stranger.operate<{ orders: Schema<'OperatorOrder'>[] }>('GET', '/orders?limit=500');
    const lines = orders.find((order) => order.order_id === id)?.lines ?? [];
    expect(lines.filter((line) => line.gift)).toHaveLength(1);
    expect(lines.find((line) => !line.gift)?.count).toBe(6);
  });
});

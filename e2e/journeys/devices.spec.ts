import { Caller } from '../harness/caller.ts';
import { newCustomer, signIn, signInLink } from '../harness/customers.ts';
import { fillCart, takeaway } from '../harness/orders.ts';
import { expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';

test.use(phone);

const edamame = 'Эдамаме с морской солью';
const chuka = 'Салат чука';

test('what a guest chose joins what the customer has on another device: nothing is lost, nothing doubled', async ({
  page,
  say,
  program,
  stranger,
  elsewhere,
}) => {
  test.setTimeout(120_000);
  const customer = newCustomer('sushi');
  const atHome = new Caller(program, 'sushi');
  await signIn(atHome, customer);
  await fillCart(atHome, takeaway, 'edamame', 2);

  const shop = new Storefront(page, say);
  const lines = (storefront: Storefront) =>
  	storefront.page.getByRole('list', { name: say('Products in the cart') }).getByRole('listitem');

  await test.step('a guest chooses something else, then signs in', async () => {
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await answerTo(page, '/cart/add', () => shop.add(chuka));
    await page.goto(await signInLink(stranger, customer));
    await expect(page).toHaveURL(/\/moscow$/);
    await shop.goToCart();
    await expect(lines(shop)).toHaveCount(2);
    await expect(lines(shop).filter({ hasText: edamame })).toContainText(/438/);
    await expectSound(page, 'cart of two devices');
  });

  const other = new Storefront(await elsewhere.newPage(), say);
  await test.step('a third device has the same cart', async () => {
    await other.page.goto(await signInLink(stranger, customer));
    await expect(other.page).toHaveURL(/\/(moscow)?$/);
    await other.openHome('moscow');
    await other.pickUpAt('Умико на Новослободской');
    await other.goToCart();
    await expect(lines(other)).toHaveCount(2);
    await other.addMore(chuka, 1);
    await expect(lines(other).filter({ hasText: chuka })).toContainText(/478/);
  });

  await test.step('and what is changed there is there everywhere', async () => {
    await page.reload();
    await expect(lines(shop)).toHaveCount(2);
    await expect(lines(shop).filter({ hasText: chuka })).toContainText(/478/);
  });
});

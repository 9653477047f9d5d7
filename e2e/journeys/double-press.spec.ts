import type { Locator } from '@playwright/test';
import { newCustomer, signInLink } from '../harness/customers.ts';
import { phone } from '../harness/screen.ts';
import { Storefront, startsWith } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';

/** Presses a control that has stopped moving twice at its middle, 150 ms apart however busy the machine is. */
async function pressTwice(control: Locator) {
  await control.hover();
  const box = await control.boundingBox();
  if (!box) throw new Error('the control has no box');
  const page = control.page();
  const devtools = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, button: 'left' } as const;
  const begin = Date.now() / 1000;
  for (const [press, timestamp] of [begin, begin + 0.15].entries()) {
    const clickCount = press + 1;
    await devtools.send('Input.dispatchMouseEvent', { ...at, type: 'mousePressed', clickCount, timestamp });
    await devtools.send('Input.dispatchMouseEvent', { ...at, type: 'mouseReleased', clickCount, timestamp: timestamp + 0.05 });
  }
  await devtools.detach();
}

test.use(phone);

test('a double press on the way to the checkout places no order, though all is filled in', async ({ page, say, stranger }) => {
  test.setTimeout(90_000);
  const shop = new Storefront(page, say);
  await page.goto(await signInLink(stranger, newCustomer('sushi')));
  await expect(page).not.toHaveURL(/auth/);
  await shop.openHome('moscow');
  await shop.pickUpAt('Умико на Новослободской');
  await shop.add('Эдамаме с морской солью');
  await shop.goToCart();
  await shop.goToForm();
  await shop.introduce('Анна');
  await shop.placeOrder();
  await shop.openHome('moscow');
  await shop.add('Эдамаме с морской солью');
  // The first step chooses the time, so that nothing else would hold the order back.
  await answerTo(page, '/cart/set-interval', () => shop.goToCart());
  await pressTwice(page.getByRole('button', { name: startsWith(say('Check out')) }));
  await expect(shop.orderButton()).toBeEnabled();
  await expect(page).toHaveURL(/step=2/);
  await shop.placeOrder();
});

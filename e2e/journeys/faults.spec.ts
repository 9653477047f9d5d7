import { desktop, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

const edamame = 'Эдамаме с морской солью';

test.describe('on a desktop', () => {
  test.use(desktop);

  test('every page of a city leads to the cart and says how much is in it', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await shop.add(edamame);
    for (const path of ['promotions', 'shops', 'delivery']) {
      await page.goto(`/moscow/${path}`);
      const link = page.getByRole('banner').getByRole('link', { name: say('Cart: {count}', { count: 1 }) });
      await expect(link).toBeVisible();
    }
    await page.getByRole('banner').getByRole('link', { name: say('Cart: {count}', { count: 1 }) }).click();
    await expect(page).toHaveURL(/\/moscow\/cart$/);
  });
});

test.describe('on a phone', () => {
  test.use(phone);

  test('a jump back to the top takes the group out of the address', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await page.getByRole('region', { name: 'Супы' }).scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 300);
    await expect(page).toHaveURL(/group=/);
    await shop.button('Back to the top').click();
    await expect(page).toHaveURL(/\/moscow$/);
    await expect(page.locator('nav [aria-current=true]')).toHaveCount(0);
  });
});

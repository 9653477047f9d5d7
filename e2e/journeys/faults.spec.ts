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
    const toTop = shop.button('Back to the top');
    const bar = page.getByRole('navigation', { name: say('Menu groups') });
    for (const [top, isShown] of [[1400, false], [1600, true]] as const) {
      await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
      await expect(toTop).toBeVisible({ visible: isShown });
    }
    await page.getByRole('region', { name: 'Супы' }).scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 300);
    await expect(page).toHaveURL(/group=/);
    await expect(bar).toBeInViewport();
    await expect(bar.locator('[aria-current=true]')).toHaveCount(1);
    await toTop.click();
    await expect(page).toHaveURL(/\/moscow$/);
    await expect(page.locator('nav [aria-current=true]')).toHaveCount(0);
  });

  test('the bar of groups leaves the end of the page to what stands there', async ({ page, say }) => {
    await new Storefront(page, say).openHome('moscow');
    const bar = page.getByRole('navigation', { name: say('Menu groups') });
    await expect(bar).toBeVisible();
    // Dishes are laid out as they come near, so that the end moves away.
    await expect(async () => {
      await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
      await expect(bar).toBeHidden({ timeout: 500 });
    }).toPass();
  });
});

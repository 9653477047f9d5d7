import { expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

test.use({ ...phone, content: 'closing' });

const maki = 'Маки с огурцом';

test('in the last work hour rolls are sold in portions of two, which is shown and can be ordered', async ({
  page,
  say,
}) => {
  test.setTimeout(120_000);
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await shop.pickUpAt('Умико на Арбате', /Закрываемся/);

  await test.step('the time that is left stands above the menu', async () => {
    await expect(page.getByRole('timer')).toHaveText(/^Заказы до\s\d\d:\d\d, осталось\s\d+\sмин$/);
  });

  await test.step('a portion is two of them, and so is every step', async () => {
    const dialog = await shop.open(maki);
    await expect(shop.addButton(dialog)).toContainText(/298/);
    await shop.addButton(dialog).click();
    await expect(dialog).toBeHidden();
    await shop.dish(maki).getByRole('button', { name: say('Add {step}: {name}', { step: 2 }) }).click();
    await shop.goToCart();
    await expect(page.getByText(/скоро закрывается.*порци/)).toBeVisible();
    await expect(shop.sum('Dishes')).toContainText(/596/);
    await expectSound(page, 'cart in the last hour');
  });

  await test.step('a portion is ordered', async () => {
    await shop.button('Take {step} away: {name}', { step: '2' }).click();
    await expect(shop.sum('Dishes')).toContainText(/298/);
    await shop.goToForm();
    // How soon depends on the minutes that are left.
    await shop.times().first().click();
    await shop.introduce('Анна', '9161110005');
    await shop.placeOrder();
    await expect(page.getByRole('list', { name: say('What is ordered') })).toContainText(/2/);
  });
});

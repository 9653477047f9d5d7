import { expect, test } from '../harness/test.ts';
import { phone } from '../harness/screen.ts';
import { startsWith, Storefront } from '../harness/storefront.ts';

test.use({ ...phone, language: 'en' });

test('a takeaway order is placed by the roles and names of the accessibility tree alone', async ({ page, say }) => {
  test.setTimeout(90_000);
  const press = (name: RegExp, within = page.getByRole('main')) => within.getByRole('button', { name }).first().click();
  await page.goto('/moscow');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await test.step('the shop', async () => {
    await press(startsWith(say('Delivery or takeaway?'), say('Takeaway'), say('Delivery')), page.getByRole('banner').or(page.getByRole('main')));
    const dialog = page.getByRole('dialog', { name: say('Where to bring it') }).or(page.getByRole('dialog', { name: say('Where to pick it up') }));
    const takeaway = dialog.getByRole('radio', { name: say('Takeaway') });
    await takeaway.click();
    await expect(takeaway).toBeChecked();
    await press(say('Choose: {name}', { name: 'Umiko Novoslobodskaya' }), dialog);
    await expect(dialog).toBeHidden();
  });

  await test.step('a dish with its choice', async () => {
    await press(/^Teriyaki Chicken Wok$/);
    const dialog = page.getByRole('dialog', { name: 'Teriyaki Chicken Wok' });
    const noodles = dialog.getByRole('group').or(dialog.getByRole('radiogroup')).first();
    await noodles.getByRole('radio').first().check();
    await new Storefront(page, say).addButton(dialog).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('the cart, and who orders', async () => {
    await page.getByRole('region', { name: say('Cart') }).getByRole('link').click();
    await expect(page.getByRole('list').getByRole('listitem').filter({ hasText: 'Teriyaki Chicken Wok' }).first()).toBeVisible();
    await press(startsWith(say('Check out')));
    await page.getByRole('textbox', { name: say('Your name') }).fill('Anna');
    await page.getByRole('textbox', { name: say('Phone') }).pressSequentially('9161234567');
    await page.getByRole('radio', { name: /^Cash/ }).check();
    await expect(page.getByRole('region', { name: say('When') }).getByRole('button', { pressed: true })).toHaveCount(1);
    await press(startsWith(say('Place the order')));
  });

  await expect(page.getByRole('heading', { level: 1, name: /^We have your order\./ })).toBeVisible();
  const ordered = page.getByRole('list', { name: say('What is ordered') });
  await expect(ordered.getByRole('listitem').first()).toHaveText(/Teriyaki Chicken Wok/);
});

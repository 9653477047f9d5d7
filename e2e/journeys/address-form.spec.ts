import { desktop, expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

test.describe('a Russian guest in Berlin on a phone', () => {
  test.use({ ...phone, brand: 'pizza', language: 'ru' });

  test('is found by the name at the bell, and asked for no flat', async ({ page, say, stranger }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('berlin');
    const dialog = await shop.openPlace();
    await shop.enterAddress(dialog, 'oranienstr 20', /20/);
    const bell = dialog.getByRole('textbox', { name: 'Имя на звонке' });
    await expect(bell).toBeVisible();
    await expect(dialog.getByRole('textbox', { name: 'Квартира или офис' })).toHaveCount(0);

    await test.step('reads at the field what is missing', async () => {
      await dialog.getByRole('button', { name: say('Deliver here') }).click();
      await expect(dialog.getByText('Укажите имя на звонке')).toBeVisible();
      await expect(bell).toBeFocused();
      await expectSound(page, 'address form of Germany');
    });

    await test.step('goes through the fields by the keyboard', async () => {
      await bell.fill('Müller');
      await dialog.getByText('Ещё для курьера').click();
      await bell.focus();
      await page.keyboard.press('Tab'); // the line that folds the rest
      for (const name of ['Этаж', 'Дом во дворе или флигель', 'Комментарий курьеру']) {
        await page.keyboard.press('Tab');
        await expect(dialog.getByRole('textbox', { name })).toBeFocused();
      }
      await dialog.getByRole('textbox', { name: 'Этаж' }).fill('4. OG');
      await dialog.getByRole('textbox', { name: 'Дом во дворе или флигель' }).fill('2. HH');
      await expectSound(page, 'whole address form of Germany');
      await dialog.getByRole('button', { name: say('Deliver here') }).click();
      await expect(dialog).toBeHidden();
    });

    await test.step('orders, and the restaurant reads what was entered', async () => {
      await shop.addWith('Маргарита', []);
      await shop.addWith('Пепперони', []);
      await shop.goToCart();
      await shop.goToForm();
      await expect(page.getByText('во дворе: 2. HH, этаж 4. OG, на звонке: Müller')).toBeVisible();
      await shop.chooseFirst();
      await shop.introduce('Анна', '15112345678');
      await page.getByRole('checkbox', { name: /условиями продажи/ }).check();
      const id = await shop.placeOrder();
      await expect(page.getByText('во дворе: 2. HH, этаж 4. OG, на звонке: Müller')).toBeVisible();
      const { order } = (await stranger.operate('GET', `/orders/${id}`)) as { order: { address: object } };
      expect(order.address).toMatchObject({ bell_name: 'Müller', floor: '4. OG', rear_building: '2. HH' });
      expect(order.address).not.toHaveProperty('room');
    });
  });
});

test.describe('a guest in Moscow', () => {
  test.use(desktop);

  test('needs a flat, unless the house is private', async ({ page, say, stranger }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    const dialog = await shop.openPlace();
    await shop.enterAddress(dialog, 'новослободская 20', /Новослободская улица, 20/);
    const flat = dialog.getByRole('textbox', { name: 'Квартира или офис' });
    await dialog.getByRole('button', { name: say('Deliver here') }).click();
    await expect(dialog.getByText('Укажите квартиру или офис')).toBeVisible();
    await expect(flat).toBeFocused();
    await expectSound(page, 'address form of Russia');
    await dialog.getByRole('checkbox', { name: 'Частный дом' }).check();
    await expect(dialog.getByText('Укажите квартиру или офис')).toBeHidden();
    await expect(flat).toBeDisabled();
    await expectSound(page, 'address form of a private house');
    await dialog.getByRole('button', { name: say('Deliver here') }).click();
    await expect(dialog).toBeHidden();
    await shop.add('Эдамаме с морской солью');
    await shop.add('Салат чука');
    await shop.addWith('Вок с курицей терияки', ['Удон']);
    await shop.goToCart();
    await expect(page.getByText('частный дом')).toBeVisible();
    await shop.chooseEarliest();
    await shop.introduce('Анна', '9161234567');
    const id = await shop.placeOrder();
    await expect(page.getByText('частный дом')).toBeVisible();
    const { order } = (await stranger.operate('GET', `/orders/${id}`)) as { order: { address: object } };
    expect(order.address).toMatchObject({ private_house: true });
    expect(order.address).not.toHaveProperty('room');
  });
});

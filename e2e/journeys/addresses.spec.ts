import type { Page } from '@playwright/test';
import type { Schema } from '../harness/caller.ts';
import { desktop, expectAccessible, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';

// The made city is made once, for the program that all of these journeys share.
test.describe.configure({ mode: 'default' });

/** The origins that a page has sent requests to. */
function listenToOrigins(page: Page): Set<string> {
  const origins = new Set<string>();
  page.context().on('request', (request) => origins.add(new URL(request.url()).origin));
  return origins;
}

/** The text with its letter of that number left out. */
const withSlip = (text: string, letter: number) => text.slice(0, letter) + text.slice(letter + 1);

/** Fills the cart above the minimum of the zone and orders for cash; returns the number of the order. */
async function placeOrder(shop: Storefront, page: Page): Promise<number> {
  const dish = 'Эдамаме с морской солью';
  await shop.add(dish);
  await shop.addMore(dish, 3);
  await shop.goToCart();
  const step = page.getByRole('button', { name: shop.say('Check out') }).filter({ visible: true });
  if ((await step.count()) > 0) await shop.goToForm();
  await shop.chooseEarliest();
  await shop.introduce('Анна', '9161234567');
  return shop.placeOrder();
}

test.describe('in a city of 250,000 addresses', () => {
  test.use({ ...desktop, content: 'addresses' });

  test('an address typed with a slip is found in Latin and in Cyrillic by the local index, and delivered to', async ({
    page,
    say,
    program,
    baseURL,
    stranger,
  }) => {
    test.setTimeout(120_000);
    const origins = listenToOrigins(page);
    const shop = new Storefront(page, say);
    const { cyrillic, latin } = program.madeStreet();
    await shop.openHome('moscow');

    // Both without the kind of street, as people type them.
    const [inLatin, inCyrillic] = [latin, cyrillic].map((name) => withSlip(name.slice(name.indexOf(' ') + 1), 4));
    await shop.deliverTo(`${inLatin} 17`, new RegExp(`^${cyrillic}, 17`), '5');
    await expect(shop.promiseButton()).toContainText(`${cyrillic}, 17`);
    await shop.deliverTo(`${inCyrillic}, 21`, new RegExp(`^${cyrillic}, 21`), '6');
    await expect(shop.promiseButton()).toContainText(`${cyrillic}, 21`);

    const id = await placeOrder(shop, page);
    const { order: placed } = await stranger.operate<{ order: Schema<'OperatorOrder'> }>('GET', `/orders/${id}`);
    expect(placed.address).toMatchObject({ address: `${cyrillic}, 21`, house: '21', room: '6', precision: 'house' });
    expect(placed.ticket).toBeUndefined();
    expect([...origins], 'the browser talks to the shop alone').toEqual([baseURL]);
  });

  test('a house that is not found is put on the map by a pin, and the restaurant sees that it was', async ({
    page,
    say,
    program,
    stranger,
  }) => {
    test.setTimeout(120_000);
    const shop = new Storefront(page, say);
    const { cyrillic, houses } = program.madeStreet();
    const typed = `${cyrillic}, ${houses + 59}`;
    await shop.openHome('moscow');
    const dialog = await shop.openPlace();
    const box = dialog.getByRole('combobox', { name: say('Street and house') });
    await box.fill(typed);
    await box.press('Enter');
    await expect(dialog.getByText(/Мы не знаем такого дома/)).toBeVisible();

    await test.step('points at the place', async () => {
      const map = dialog.getByRole('region', { name: say('Map of delivery zones') });
      const { width, height } = (await map.boundingBox()) ?? { width: 0, height: 0 };
      await map.click({ position: { x: width / 2 + 60, y: height / 2 + 40 } });
      await expect(dialog.getByText(say('We deliver here'))).toBeVisible();
      await expect(box).toHaveValue(typed);
      await dialog.getByRole('textbox', { name: say('Apartment or office') }).fill('5');
      await dialog.getByRole('button', { name: say('Deliver here') }).click();
      await expect(shop.promiseButton()).toContainText(typed);
    });

    const id = await placeOrder(shop, page);
    const { order: placed } = await stranger.operate<{ order: Schema<'OperatorOrder'> }>('GET', `/orders/${id}`);
    expect(placed.address).toMatchObject({ address: typed, precision: 'point' });
    expect(placed.ticket).toBe('Адрес: точка на карте, которую указал гость');
  });

  test('an address of another city opens that city with it, by the keyboard alone, and loses nothing of the cart', async ({
    page,
    say,
    program,
  }) => {
    const shop = new Storefront(page, say);
    const { cyrillic } = program.madeStreet();
    const dish = 'Эдамаме с морской солью';
    await shop.openHome('kazan');
    await shop.deliverTo('баумана 51', /Баумана, 51/, '4');
    await shop.add(dish);
    const dialog = await shop.openPlace();
    const box = dialog.getByRole('combobox', { name: say('Street and house') });
    await box.fill(`Москва, ${cyrillic} 17`);
    const offer = dialog.getByRole('status').filter({ hasText: 'Этот адрес в Москве. Заказать там?' });
    await expect(offer).toBeVisible();
    await box.press('Enter');
    await expect(offer).toBeVisible();
    await expectAccessible(page, 'the offer of another city');

    await test.step('asks before the cart is left', async () => {
      const button = offer.getByRole('button', { name: 'Заказать в Москве' });
      await button.focus();
      await button.press('Enter');
      const question = page.getByRole('dialog', { name: 'Заказать в Москве?' });
      await expect(question).toContainText('Блюда из корзины останутся в Казани.');
      await question.getByRole('button', { name: say('Order there') }).press('Enter');
    });

    await test.step('looks the address up in the other city', async () => {
      await expect(page).toHaveURL(/\/moscow$/);
      await expect(shop.dialog().getByText(say('We deliver here'))).toBeVisible();
      await expect(shop.dialog().getByRole('combobox', { name: say('Street and house') })).toHaveValue(`${cyrillic} 17`);
      const room = shop.dialog().getByRole('textbox', { name: say('Apartment or office') });
      await room.fill('5');
      await room.press('Enter');
      await expect(shop.dialog()).toBeHidden();
      await expect(shop.promiseButton()).toContainText(`${cyrillic}, 17`);
    });

    await test.step('finds the cart where it was', async () => {
      await page.goBack();
      await expect(page).toHaveURL(/\/kazan(\?|$)/);
      await expect(shop.button('Add one: {name}', { name: dish }).filter({ visible: true }).first()).toBeVisible();
    });
  });
});

test.describe('behind a geocoder that fails', () => {
  test.use({ ...phone, geocoder: true });

  test('a customer who types on sees the suggestions of the local index, and no address leaves the browser for another host', async ({
    page,
    say,
    program,
    baseURL,
  }) => {
    const origins = listenToOrigins(page);
    const shop = new Storefront(page, say);
    await shop.openHome('kazan');
    const dialog = await shop.openPlace();
    const box = dialog.getByRole('combobox', { name: say('Street and house') });
    await box.pressSequentially('баум');
    // As DaData writes it; the local index writes the word in full.
    await expect(page.getByRole('option', { name: /^ул Баумана/ }).first()).toBeVisible();

    await program.breakGeocoder();
    const mark = program.mark();
    await answerTo(page, '/geocoder/suggest', () => box.pressSequentially('ана 51'));
    await expect(page.getByRole('option', { name: /^улица Баумана, 51/ }).first()).toBeVisible();
    await expect(page.getByRole('alert').filter({ visible: true })).toHaveCount(0);
    expect(program.log(mark)).toContain('geocoder failed');

    await page.getByRole('option', { name: /^улица Баумана, 51/ }).first().click();
    await expect(dialog.getByText(say('We deliver here'))).toBeVisible();
    await dialog.getByRole('textbox', { name: say('Apartment or office') }).fill('5');
    await dialog.getByRole('button', { name: say('Deliver here') }).click();
    await expect(shop.promiseButton()).toContainText('Баумана, 51');
    expect([...origins], 'the browser talks to the shop alone').toEqual([baseURL]);
  });
});

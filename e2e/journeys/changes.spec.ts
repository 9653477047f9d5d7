import { Caller, type Schema } from '../harness/caller.ts';
import type { ContentChange } from '../harness/content.ts';
import { newCustomer, signIn, signInLink } from '../harness/customers.ts';
import { placeOrder, product, takeaway } from '../harness/orders.ts';
import { desktop, expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';

const edamame = 'Эдамаме с морской солью';
const chuka = 'Салат чука';

test.describe('on a phone', () => {
  test.use(phone);

  test('a time that others took at the last moment: old and new are shown, nothing moves before the tap', async ({
    page,
    say,
    program,
    stranger,
    watch,
  }) => {
    test.setTimeout(120_000);
    watch.expectRefusal(/^\/api\/order\/create(-order-cache)?$/, 409);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await shop.add(edamame);
    await shop.goToCart();
    await shop.goToForm();
    await shop.introduce('Анна', '9161110007');

    let chosen = '';
    const days = shop.dialog().getByRole('group', { name: say('Day') }).getByRole('button');
    await test.step('the kitchen is paused while the customer looks at the times of today', async () => {
      await shop.waitForTime();
      await expect(shop.times().filter({ visible: true })).toHaveCount(await countNearest(stranger, 2));
      await shop.button('Another time').click();
      await days.first().click();
      const pause = { site: 'sushi', shop_id: takeaway.shop_id };
      const until = new Date(Date.now() + 2 * 60 * 60_000).toISOString();
      await stranger.operate('POST', '/kitchen/pause', { ...pause, until, reason: 'equipment' });
      await expect(shop.dialog().getByText(/не принимаем заказы/)).toBeVisible({ timeout: 30_000 });
      await expect(shop.dialog().getByText(say('Paused')).first()).toBeVisible();
      await expect(shop.dialog().getByRole('button', { name: /Как можно скорее/ })).toBeHidden();
      await expectSound(page, 'times of a paused kitchen');
      await stranger.operate('POST', '/kitchen/pause', { ...pause, off: true });
    });

    await test.step('the customer chooses a time of the day after tomorrow', async () => {
      await answerTo(page, '/schedule/intervals', () => days.nth(2).click());
      const times = shop.dialog().getByRole('listitem').getByRole('button', { disabled: false });
      const answer = await answerTo(page, '/cart/set-interval', () => times.nth(20).click());
      chosen = ((await answer.json()) as Schema<'CartAnswer'>).cart.interval?.id ?? '';
      await expect(shop.dialog()).toBeHidden();
    });

    const day = await timesOfDay(stranger, chosen);
    const place = day.findIndex((interval) => interval.id === chosen);
    const [old, next] = day.slice(place);
    const named = (time: Schema<'Interval'> | undefined) => `${time?.title} (${time?.day_name}, ${time?.formatted_string})`;

    await test.step('others take all of it: 180 minutes of work, three for a portion', async () => {
      await placeOrder(new Caller(program, 'sushi'), { count: 60, interval: chosen });
    });

    const moves: string[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/api/cart/set-interval')) return;
      const { interval } = request.postDataJSON() as { interval?: string };
      if (interval) moves.push(interval);
    });

    await test.step('the order is refused and nothing has moved', async () => {
      await shop.orderButton().click();
      await expect(shop.changes()).toBeFocused();
      await expect(shop.changes()).toContainText(named(old));
      await expect(shop.changes()).toContainText(named(next));
      await expect(shop.orderButton()).toBeHidden();
      await expectSound(page, 'checkout that lost its time');
      await expect(page.getByRole('textbox', { name: say('Your name') })).toHaveValue('Анна');
      await page.reload();
      await expect(shop.changes()).toContainText(named(next));
      expect(moves).toEqual([]);
    });

    await test.step('the customer takes the new time, and the order is for it', async () => {
      await shop.changes().getByRole('button', { name: say('Take {title}', { title: named(next) }) }).click();
      await expect(shop.changes()).toBeHidden();
      const id = await shop.placeOrder();
      const { orders } = await stranger.operate<{ orders: Schema<'OperatorOrder'>[] }>('GET', '/orders?limit=500');
      const from = orders.find((order) => order.order_id === id)?.promised_from ?? '';
      expect(Date.parse(from) / 1000).toBe(next?.start_timestamp);
    });
  });
});

test.describe('as soon as possible', () => {
  test.use({ ...phone, brand: 'shawarma' });

  test('is later when others were sooner: both times are shown, and the order waits for a tap', async ({
    page,
    say,
    program,
    stranger,
    watch,
  }) => {
    test.setTimeout(120_000);
    watch.expectRefusal(/^\/api\/order\/create$/, 409);
    const shop = new Storefront(page, say);
    await page.goto(await signInLink(stranger, newCustomer('shawarma')));
    await expect(page).not.toHaveURL(/auth/);
    await shop.openHome('moscow');
    await shop.pickUpAt('Мясницкая');
    const samsa = shop.dish('Самса с бараниной');
    await samsa.getByRole('button', { name: say('Add to cart: {name}, {written}') }).click();
    await expect(samsa.getByRole('button', { name: say('Add {step}: {name}', { step: 2 }) })).toBeVisible();
    await shop.goToCart();
    await shop.goToForm();
    await shop.introduce('Анна');
    await shop.chooseEarliest();

    // 240 minutes of work fit into an interval, a portion is four of them. Journeys before may have left
    // some work in one: the smaller orders fill what is free beside it.
    const counts = [60, 60, 60, 30, 16, 8, 4, 2, 2];
    const others = new Caller(program, 'shawarma');
    await signIn(others, newCustomer('shawarma'));
    // The page reads the times again now and then. Hold these calls back, so that it learns of the orders by the refusal.
    const times = '**/api/schedule/intervals';
    await page.route(times, () => undefined);
    for (const count of counts) {
      await placeOrder(others, { place: { ...takeaway, shop_id: 201 }, alias: 'samsa-s-baraninoy', count });
    }
    await shop.orderButton().click();
    await expect(shop.changes()).toContainText(/\d\d:\d\d.*\d\d:\d\d/);
    await page.unroute(times); // from here on the page reads the times again
    await expectSound(page, 'checkout with a later time');
    await shop.agreeToChanges();
    const id = await shop.placeOrder();
    const { orders } = await stranger.operate<{ orders: Schema<'OperatorOrder'>[] }>('GET', '/orders?limit=500');
    const promised = orders.find((order) => order.order_id === id)?.promised_to ?? '';
    expect(Date.parse(promised) - Date.now()).toBeGreaterThan(60 * 60_000);
  });
});

/** Returns the change of the demo by which a dish that costs 199 costs another price. */
const onigiriFor = (price: number): ContentChange => ({
  file: 'sushi/menu/08-snacks.yaml',
  pattern: /(?<=alias: onigiri-losos\n[^]*?\n {4}price: )199\n/,
  by: `${price}\n`,
});

/** Returns the change of the demo by which a shop in Moscow takes orders of the types. */
const novoslobodskayaFor = (types: string): ContentChange => ({
  file: 'sushi/shops.yaml',
  pattern: /(?<=alias: novoslobodskaya\n[^]*?\n {2}order_types: )\[delivery, takeaway\]\n/,
  by: `[${types}]\n`,
});

/** Returns all intervals of the day that has the chosen interval; throws when no day has it. */
async function timesOfDay(caller: Caller, chosen: string) {
  const { dates } = await caller.ask<Schema<'Intervals'>>('POST', '/schedule/intervals', takeaway);
  for (const { date_string: date } of dates) {
    const { intervals } = await caller.ask<Schema<'Intervals'>>('POST', '/schedule/intervals', { ...takeaway, date });
    if (intervals.some((interval) => interval.id === chosen)) return intervals;
  }
  throw new Error(`no day offers ${chosen}`);
}

/** Returns how many nearest times are offered where a device has room for `most`: late in the evening fewer are left. */
async function countNearest(caller: Caller, most: number): Promise<number> {
  const { intervals } = await caller.ask<Schema<'Intervals'>>('POST', '/schedule/intervals', takeaway);
  return Math.min(most, intervals.filter(({ disabled }) => !disabled).length);
}

test.describe('on a desktop', () => {
  test.use(desktop);

  test('a dish that is stopped while the checkout is open is shown, and the order waits', async ({
    page,
    say,
    stranger,
    watch,
  }) => {
    test.setTimeout(120_000);
    watch.expectRefusal(/^\/api\/order\/create(-order-cache)?$/, 409);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await shop.add(edamame);
    await shop.add(chuka);
    await shop.goToCart();
    await shop.introduce('Анна', '9161110008');
    await shop.chooseEarliest();
    await expect(shop.times().filter({ visible: true })).toHaveCount(await countNearest(stranger, 3));

    const stop = { site: 'sushi', kind: 'product', alias: 'chuka-salat', shop_id: takeaway.shop_id };
    await stranger.operate('POST', '/stops', stop);
    await shop.orderButton().click();
    await expect(shop.changes()).toContainText(chuka);
    await expectSound(page, 'checkout with a dish that ran out');
    await shop.button('Remove: {name}', { name: chuka }).last().click();
    await shop.agreeToChanges();
    await shop.placeOrder();
    await expect(page.getByRole('list', { name: say('What is ordered') })).not.toContainText(chuka);
    await stranger.operate('POST', '/stops', { ...stop, off: true });
  });

  test('a dish that became dearer while the checkout was open: both prices are shown, and the order waits', async ({
    page,
    say,
    program,
    stranger,
    watch,
  }) => {
    test.setTimeout(120_000);
    watch.expectRefusal(/^\/api\/order\/create(-order-cache)?$/, 409);
    const name = 'Онигири с лососем';
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await shop.add(name);
    await shop.goToCart();
    await shop.introduce('Анна', '9161110011');
    await shop.chooseEarliest();
    await expect(shop.sum('Dishes')).toContainText(/199/);

    await program.import(onigiriFor(209));
    await expect.poll(async () => (await product(stranger, takeaway, 'onigiri-losos')).price).toBe(209);
    await shop.orderButton().click();
    await expect(shop.changes()).toContainText(/199\s₽\s→\s209\s₽/);
    await expectSound(page, 'checkout with another price');
    await shop.agreeToChanges();
    await shop.placeOrder();
    await expect(shop.sum('Dishes')).toContainText(/209/);
    await program.import(onigiriFor(199));
  });

  test('another address with another price of delivery is the customer’s own change, and needs no tap', async ({
    page,
    say,
  }) => {
    test.setTimeout(120_000);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.deliverTo('арбат 24', /Арбат, 24/, '1');
    await shop.add(edamame);
    await shop.addMore(edamame, 4);
    await expect(shop.sum('Delivery')).toContainText(say('free'));
    await shop.deliverTo('новослободская 20', /Новослободская улица, 20/, '5');
    await expect(shop.sum('Delivery')).toContainText(/199/);
    await expect(shop.changes()).toBeHidden();
    await expectSound(page, 'home with another price of delivery');
    await shop.goToCart();
    await shop.chooseEarliest();
    await shop.introduce('Анна', '9161110009');
    await shop.placeOrder();
  });

  test('a shop that has no takeaway any more is forgotten, another is asked for, and the cart stays', async ({
    page,
    say,
    program,
    stranger,
    watch,
  }) => {
    watch.expectRefusal(/^\/api\/(products|cart|schedule\/|user\/payment-types)/, 422);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await answerTo(page, '/cart/add', () => shop.add(edamame));
    await program.import(novoslobodskayaFor('delivery'));
    try {
      const menu = () => stranger.call('POST', '/products', takeaway);
      await expect.poll(async () => (await menu()).status).toBe(422);
      await page.reload();
      await expect(shop.dialog()).toBeVisible();
      await expectSound(page, 'choice of another shop');
      await page.keyboard.press('Escape');
      await expect(shop.promiseButton()).not.toContainText('Новослободск');
      await expect(page.getByRole('heading', { name: edamame }).first()).toBeVisible();
      await expect(shop.button('Empty the cart'), 'the cart is not empty').toBeVisible();
    } finally {
      await program.import(novoslobodskayaFor('delivery, takeaway'));
    }
  });
});

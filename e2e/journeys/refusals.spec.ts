import { Caller, type Schema } from '../harness/caller.ts';
import { givePresent, newCustomer, signIn } from '../harness/customers.ts';
import { fillCart, moscow, orderOf, placeOrder, product, takeaway } from '../harness/orders.ts';
import { expect, test } from '../harness/test.ts';

/** Returns a pattern of a message in Russian that contains the words. */
const inRussian = (words: RegExp) =>
  expect.objectContaining({ message: expect.stringMatching(words) });

test.describe('a call that no page sends is refused in the language of the customer', () => {
  test('an unknown city is not found', async ({ stranger }) => {
    const answer = await stranger.call('GET', '/cities/atlantis');
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(inRussian(/В этом городе нас нет/));

    const menu = await stranger.call('POST', '/products', { city_id: 9999, order_type: 'delivery' });
    expect(menu.status).toBe(404);
  });

  test('an address outside of all zones names the nearest shop and cannot be ordered to', async ({
    stranger,
  }) => {
    const check = await stranger.ask<Schema<'AddressCheck'>>('POST', '/geocoder/searchByCoordinates', {
      city_id: moscow.id,
      coordinates: { latitude: 55.6, longitude: 37.4 },
    });
    expect(check.result).toBe('not_available');
    expect(check.nearest_shop?.shop.name).toBeTruthy();
    expect(check.nearest_shop?.distance).toBeGreaterThan(1000);

    const set = await stranger.call('POST', '/user/addresses/set-by-coordinates', {
      city_id: moscow.id,
      latitude: 55.6,
      longitude: 37.4,
    });
    expect(set.status).toBe(422);
    expect(set.body).toEqual(inRussian(/не доставляем/));
  });

  test('a stopped product cannot be added, and the cart stays as it was', async ({ stranger }) => {
    const cart = await fillCart(stranger, takeaway, 'edamame', 2);
    const stop = { site: 'sushi', kind: 'product', alias: 'miso' };
    const { key } = await product(stranger, takeaway, 'miso');
    await stranger.operate('POST', '/stops', stop);
    await expect
      .poll(async () => (await product(stranger, takeaway, 'miso')).type)
      .toBe('stop');

    const answer = await stranger.call('PUT', '/cart/add', { ...takeaway, product_key: key });
    expect(answer.status).toBe(409);
    expect(answer.body.errors?.product?.[0]).toMatch(/[а-яё]{4}/i);
    const kept = await stranger.ask<Schema<'CartAnswer'>>('PUT', '/cart', takeaway);
    expect(kept.cart.products).toEqual(cart.products);

    await stranger.operate('POST', '/stops', { ...stop, off: true });
    await expect
      .poll(async () => (await product(stranger, takeaway, 'miso')).type)
      .toBe('default');
  });

  test('modifiers out of their bounds are refused by name', async ({ stranger }) => {
    const { key, modifiers } = await product(stranger, takeaway, 'wok-kuritsa');
    const noodles = modifiers.groups.find((group) => group.min === 1 && group.max === 1);
    const [first, second] = Object.values(noodles?.modifiers ?? {});
    const add = (chosen: unknown[]) =>
      stranger.call('PUT', '/cart/add', { ...takeaway, product_key: key, modifiers: chosen });
    const choose = (modifier: Schema<'Modifier'> | undefined, count = 1) => ({
      id: modifier?.id,
      group_id: noodles?.id,
      count,
    });

    for (const chosen of [[], [choose(first), choose(second)], [choose(first, 2)]]) {
      const answer = await add(chosen);
      expect(answer.status).toBe(422);
      const names = [noodles?.name, first?.name].join("|");
      expect(answer.body.message).toMatch(new RegExp(`^(${names}): .*1$`));
    }
    const foreign = await add([{ id: 999_999, count: 1 }]);
    expect(foreign.status).toBe(422);
    expect(foreign.body).toEqual(inRussian(/Такой добавки у этого блюда нет/));
  });

  test('a count of 101 and of −1 is refused with the bounds', async ({ stranger }) => {
    const { key } = await product(stranger, takeaway, 'edamame');
    for (const count of [101, -1, 0]) {
      const answer = await stranger.call('PUT', '/cart/add', { ...takeaway, product_key: key, count });
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual(inRussian(/от 1 до 100/));
    }
    await fillCart(stranger, takeaway, 'edamame', 100);
    const more = await stranger.call('PUT', '/cart/add', { ...takeaway, product_key: key });
    expect(more.status).toBe(422);
    expect(more.body).toEqual(inRussian(/не больше 100 порций/));
  });

  test('a price in the payload changes nothing but the answer: conflict with the true cart', async ({
    stranger,
  }) => {
    const cart = await fillCart(stranger, takeaway, 'edamame', 3);
    await stranger.ask('PUT', '/cart/set-interval', { city_id: moscow.id, interval: 'asap' });
    const order = await orderOf(stranger, takeaway, cart);
    const answer = await stranger.call('POST', '/order/create', {
      ...order,
      interval_id: 'asap',
      cart: { prices: { total: 1 } },
    });
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual(inRussian(/Сумма заказа изменилась/));
    expect(answer.body.cart?.prices.total).toBe(cart.prices.total);
  });

  test('an order below the minimum of its zone is refused, and the cart is kept', async ({
    stranger,
  }) => {
    const choice = await stranger.ask<Schema<'AddressChoice'>>('POST', '/user/addresses/set-by-address', {
      city_id: moscow.id,
      address: moscow.house,
      room: '5',
    });
    const { delivery_address: address } = choice;
    const delivery = {
      city_id: moscow.id,
      order_type: 'delivery' as const,
      delivery_zone_id: address.delivery_zone_id,
    };
    const cart = await fillCart(stranger, delivery, 'edamame', 1);
    expect(cart.minimum).toMatchObject({ kind: 'order', amount: moscow.hardMinimum });
    await stranger.ask('PUT', '/cart/set-interval', { city_id: moscow.id, interval: 'asap' });
    const order = {
      ...(await orderOf(stranger, delivery, cart)),
      interval_id: 'asap',
      delivery_address: { id: address.id, room: '5' },
    };
    const answer = await stranger.call('POST', '/order/create', order);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual(inRussian(/меньше минимальной/));
    const kept = await stranger.ask<Schema<'CartAnswer'>>('PUT', '/cart', delivery);
    expect(kept.cart.count).toBe(1);
  });

  test('what was not earned and what is somebody else’s is refused, each by its name', async ({
    stranger,
    program,
  }) => {
    const owner = newCustomer('sushi');
    const present = await givePresent(stranger, owner, 'gift-sweet-roll');
    const cart = await fillCart(stranger, takeaway, 'edamame', 1);
    const gift = cart.gifts.find((one) => one.conditions.some((condition) => !condition.validated));
    const refusals: [string, object, RegExp][] = [
      ['add', { gift_id: gift?.id }, /пока недоступен/],
      ['add', { gift_id: 999_999 }, /Такого подарка у нас нет/],
      ['add-present', { id: present }, /Такого подарка у вас нет/],
      ['apply-promocode', { promocode: 'ARIGATO' }, /от 1\s500.*ещё на 1\s281/],
      ['apply-promocode', { promocode: 'НЕТТАКОГО' }, /Такого промокода нет/],
      ['apply-bonuses', { bonuses: 100 }, /Войдите, чтобы оплатить бонусами/],
    ];
    for (const [call, body, words] of refusals) {
      const answer = await stranger.call('PUT', `/cart/gift/${call}`, { ...takeaway, ...body });
      expect([404, 422], call).toContain(answer.status);
      const { message, errors = {} } = answer.body;
      expect([message, ...Object.values(errors).flat()].join(' '), call).toMatch(words);
    }
    const kept = await stranger.ask<Schema<'CartAnswer'>>('PUT', '/cart', takeaway);
    expect(kept.cart.prices).toEqual(cart.prices);

    const customer = new Caller(program, 'sushi');
    await signIn(customer, owner);
    await fillCart(customer, takeaway, 'edamame', 1);
    const own = await customer.ask<Schema<'CartAnswer'>>('PUT', '/cart/gift/add-present', {
      ...takeaway,
      id: present,
    });
    expect(own.cart.presents.map(({ count }) => count)).toEqual([1]);
  });

  test('the order of somebody else is not found, as one that never was', async ({
    stranger,
    program,
  }) => {
    const { order_id: id } = await placeOrder(stranger);
    const other = new Caller(program, 'sushi');
    const theirs = await other.call('GET', `/order/${id}`);
    const none = await other.call('GET', '/order/99999999');
    expect(theirs.status).toBe(404);
    expect(theirs.body).toEqual(inRussian(/Заказ не найден/));
    expect(theirs.body).toEqual(none.body);

    for (const act of ['cancel', 'repeat']) {
      const answer = await other.call('POST', `/order/${act}`, { order_id: id });
      expect(answer.status).toBe(404);
    }
    const wrong = await other.call('POST', '/order/status', { order_id: id, phone: '79160000000' });
    const unknown = await other.call('POST', '/order/status', {
      order_id: 99999999,
      phone: '79160000000',
    });
    expect(wrong.status).toBe(unknown.status);
    expect(wrong.body).toEqual(unknown.body);
  });

  test('a body of one megabyte is too large', async ({ stranger }) => {
    const answer = await stranger.call('PUT', '/cart/add', {
      ...takeaway,
      product_key: 'x'.repeat(1 << 20),
    });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual(inRussian(/слишком большой/));
  });
});

test('twenty copies of one order make one order and one answer', async ({ stranger }) => {
  const cart = await fillCart(stranger, takeaway, 'edamame', 2);
  await stranger.ask('PUT', '/cart/set-interval', { city_id: moscow.id, interval: 'asap' });
  const order = { ...(await orderOf(stranger, takeaway, cart)), interval_id: 'asap' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      stranger.call<Schema<'OrderCreated'>>('POST', '/order/create', order),
    ),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(new Set(answers.map((answer) => answer.body.order_id)).size).toBe(1);
  const open = await stranger.operate<{ orders: Schema<'OperatorOrder'>[] }>('GET', '/orders?limit=500');
  expect(open.orders.filter((one) => one.order_id === answers[0]?.body.order_id)).toHaveLength(1);
});

test('the operator is let in by his token only', async ({ stranger }) => {
  for (const headers of [{}, { authorization: 'Bearer somebody' }] as Record<string, string>[]) {
    const answer = await stranger.call('GET', '/operator/orders', undefined, headers);
    expect(answer.status).toBe(401);
  }
});

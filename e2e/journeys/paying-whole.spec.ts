import { BankPage } from '../harness/bank.ts';
import type { Caller, Schema } from '../harness/caller.ts';
import { tabTo } from '../harness/keyboard.ts';
import { expectAgreement, lastAttempt, type OnlineOrder, orderToPay, pizzaInMoscow, type Spot, sushiInMoscow } from '../harness/paying.ts';
import { desktop, expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

const pizzaInIstanbul: Spot = {
  brand: 'pizza',
  city: 'istanbul',
  place: { city_id: 6, order_type: 'delivery' },
  dish: '',
};

/**
 * Places the order of the checkout for online payment, and returns it. The caller has the browser's session
 * afterwards.
 */
async function orderOnline(shop: Storefront, caller: Caller, spot: Spot): Promise<OnlineOrder> {
  const asked = shop.page.waitForRequest((request) => request.url().endsWith('/api/order/create'));
  await shop.orderButton().click();
  const { order_cache_key: key } = (await asked).postDataJSON() as Schema<'OrderCreate'>;
  await shop.page.waitForURL(/\/(order\/payment|dev\/sandbox)\//);
  await caller.borrowSession(shop.page.context());
  const { payment } = await caller.ask<{ payment: Schema<'OrderPayment'> }>('GET', `/order-payment/${key}`);
  return { id: payment.order_id, path: `/${spot.city}/order/payment/${key}`, total: payment.total, spot, caller };
}

/** Returns the states of all refunds of an order. */
async function refundsOf(caller: Caller, id: number): Promise<string[]> {
  const { refunds } = await caller.operate<{ refunds: Schema<'OperatorRefund'>[] }>('GET', `/orders/${id}/payments`);
  return refunds.map(({ state }) => state);
}

test.describe('on a phone', () => {
  test.use(phone);

  test('sushi for delivery is ordered in Russian, paid by card at the bank, gets another address and a part back, and the rest comes back with a cancellation', async ({
    page,
    say,
    stranger,
    payment,
    bank,
  }) => {
    test.setTimeout(120_000);
    const shop = new Storefront(page, say);
    await page.goto('/');
    await page.getByRole('link', { name: /^Москва/ }).first().click();
    await shop.ready();
    await shop.deliverTo('арбат 10', /улица Арбат, 10/, '5');
    await shop.addWith('Вок с курицей терияки', ['Удон', 'Яйцо']);
    await shop.addWith('Сет «Всё горячее»', []);
    await shop.add('Эдамаме с морской солью');
    await shop.add('Салат чука');
    await shop.goToCart();
    await shop.goToForm();
    await shop.chooseEarliest();
    await shop.introduce('Анна', '9161234567');
    await shop.wayToPay('card_online').check();
    await expectSound(page, 'checkout with ways to pay online');
    const order = await orderOnline(shop, stranger, sushiInMoscow);
    const bankPage = new BankPage(page);
    await bankPage.ready();
    await expectSound(page, 'the test bank');
    await bankPage.payBy(await bank.card('paid'));
    await payment.expectPaid();
    await page.getByRole('link', { name: say('Track the order') }).click();
    await expect(shop.state()).toContainText('Заказ принят');
    await expectAgreement(order, bank, 'paid', 1);

    // The customer has called: another house, in a zone that costs more. Then a part goes back.
    const address = { street: 'улица Льва Толстого', house: '16', coordinates: { latitude: 55.72, longitude: 37.58 } };
    await stranger.operate('POST', `/orders/${order.id}/correct`, { key: 'c-1', address });
    await stranger.operate('POST', `/orders/${order.id}/courier`, { id: 'c7', name: 'Иван Петров' });
    await stranger.operate('POST', `/orders/${order.id}/refund`, { key: 'r-1', amount: 100 });
    await expect.poll(() => refundsOf(stranger, order.id), { timeout: 30_000 }).toEqual(['done']);
    await page.reload();
    for (const text of [/улица Льва Толстого, 16/, /доплата при получении: 249/, /вернули вам 100/, /Мы исправили заказ/, /^Иван$/])
      await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
    await expectSound(page, 'corrected order with a part of the money back');

    await shop.button('Cancel the order').click();
    await expectSound(page, 'question before a paid order is cancelled');
    await shop.dialog().getByRole('button', { name: say('Cancel the order') }).click();
    await expect(shop.state()).toContainText('Заказ отменён');
    await expect.poll(() => refundsOf(stranger, order.id), { timeout: 30_000 }).toEqual(['done', 'done']);
    await page.reload();
    await expect(page.getByRole('main').getByText(/вернули|возвращ/i).first()).toBeVisible();
    await expectSound(page, 'order whose money went back');
  });
});

test.describe('in Istanbul', () => {
  test.use({ ...desktop, brand: 'pizza', language: 'tr' });

  test('pizza is ordered in Turkish with an e-mail and paid by the card form with 3-D Secure 2', async ({
    page,
    say,
    stranger,
    payment,
    bank,
  }) => {
    test.setTimeout(120_000);
    const shop = new Storefront(page, say);
    await shop.openHome('istanbul');
    await shop.deliverTo('bahariye 20', /Bahariye Caddesi/, '5');
    await shop.addWith('Margherita', []);
    await shop.addWith('Sucuklu pizza', []);
    await shop.goToCart();
    await shop.button('Another time').click();
    await shop.dialog().getByRole('button', { name: say('Tomorrow') }).click();
    await shop.dialog().getByRole('listitem').getByRole('button', { disabled: false }).nth(2).click();
    await expect(shop.dialog()).toBeHidden();
    await shop.introduce('Ayşe', '5321234567');
    await shop.wayToPay('card_online').check();
    await page.getByRole('checkbox', { name: /aydınlatma metnini okudum/ }).check();
    await shop.orderButton().click();
    const email = page.getByRole('textbox', { name: say('E-mail for the receipt') });
    await expect(email).toBeFocused();
    await email.fill('ayse@example.com');
    await expectSound(page, 'checkout with e-mail and consents');
    const order = await orderOnline(shop, stranger, pizzaInIstanbul);
    await payment.enterCard(await bank.card('three_ds_2'));
    await expectSound(page, 'card form');
    await payment.button('Pay').click();
    await payment.challengeButton(true).click();
    await payment.expectPaid();
    await expectSound(page, 'paid on a desktop');
    await page.getByRole('link', { name: say('Track the order') }).click();
    await expect(page).toHaveURL(new RegExp(`/order/${order.id}/tracking`));
    await expect(shop.state()).toBeVisible();
    await expectAgreement(order, bank, 'paid', 1);
  });
});

test.describe('with the keyboard alone', () => {
  test.use({ ...desktop, brand: 'pizza', language: 'de' });

  test('a card is entered wrongly, put right, proved at the bank and paid', async ({ payment, stranger, bank, page }) => {
    const order = await orderToPay(stranger, pizzaInMoscow, 'card_online');
    await payment.open(order);
    await tabTo(page, payment.field('Card number'));
    await page.keyboard.type('4242424242424241');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1220');
    await page.keyboard.type('123');
    await page.keyboard.press('Enter');
    await expect(payment.field('Card number')).toBeFocused();
    await expect(payment.field('Card number')).toHaveAttribute('aria-invalid', 'true');
    await expectSound(page, 'card form with errors');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(await bank.card('three_ds_2_plain'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('1230');
    await page.keyboard.press('Enter');
    await expect(payment.challengeButton(true)).toBeVisible();
    await tabTo(page, payment.challengeButton(true));
    await page.keyboard.press('Enter');
    await payment.expectPaid();
    await expectAgreement(order, bank, 'paid', 1);
  });
});

test.describe('back from the payment', () => {
  test.use(phone);

  test('the cart is full; the order is placed again and the old one is withdrawn', async ({ payment, stranger, bank, page, say }) => {
    test.setTimeout(90_000);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await stranger.borrowSession(page.context());
    const order = await orderToPay(stranger, sushiInMoscow, 'sberpay');
    await payment.open(order);
    await payment.button('Send the request').click();
    await expect(payment.about('Confirm on your phone')).toBeVisible();
    await page.getByRole('link', { name: say('Back to the checkout') }).click();
    await expect(page.getByText(new RegExp(`${order.id}`)).first()).toBeVisible();
    await expectSound(page, 'checkout while an order waits for its payment');
    await shop.introduce('Анна', '9161234567');
    await page.waitForLoadState('networkidle');
    await shop.placeOrder();
    await expect(shop.state()).toContainText('Заказ принят');
    const { order: old } = await stranger.ask<{ order: { status: { alias: string } } }>('GET', `/order/${order.id}`);
    expect(old.status.alias).toBe('canceled');
    const [first] = await bank.payments((await lastAttempt(stranger, order.id)).id);
    expect(first?.state).toBe('failed');
  });

  test('an order that was paid meanwhile is not placed again', async ({ payment, stranger, bank, page, say, watch }) => {
    test.setTimeout(90_000);
    watch.expectRefusal(/^\/api\/order\/create-order-cache$/, 409);
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.pickUpAt('Умико на Новослободской');
    await stranger.borrowSession(page.context());
    const order = await orderToPay(stranger, sushiInMoscow, 'sbp');
    await payment.open(order);
    await expect(payment.about('Pay in your bank’s app')).toBeVisible();
    const checkout = new Storefront(await page.context().newPage(), say);
    await checkout.page.goto(`${stranger.origin}/moscow/cart?step=2`);
    await checkout.introduce('Анна', '9161234567');
    await expect(checkout.orderButton()).toBeEnabled();
    // The bank sends no webhook and does not answer polls, so the server learns of the payment only when the customer
    // orders again.
    const silence = { site: 'sushi', call: 'status', fault: 'lost_before' } as const;
    await bank.breakNext(silence, 100);
    const [known] = await bank.payments((await lastAttempt(stranger, order.id)).id);
    await bank.answerOnPhone(known?.page ?? '', 'no_callback');
    await checkout.orderButton().click();
    await expect(checkout.page).toHaveURL(new RegExp(`/order/${order.id}/tracking`));
    await bank.breakNext(silence, 0);
    await expectAgreement(order, bank, 'paid', 1);
  });
});

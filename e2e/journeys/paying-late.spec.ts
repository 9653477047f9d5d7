import type { Browser, BrowserContextOptions } from '@playwright/test';
import { newAddress } from '../harness/address.ts';
import { Caller } from '../harness/caller.ts';
import { PaymentPage } from '../harness/payment-page.ts';
import { expectAgreement, orderToPay, attemptsOf } from '../harness/paying.ts';
import { expectSound, phone } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { texts } from '../harness/texts.ts';
import { Watch } from '../harness/watch.ts';
import { begin, expectBegun, cardOnOurPage, sberPay, type Way, ways } from '../harness/ways.ts';

// Customers have ten minutes to pay, these journeys 25 seconds.
test.use({ ...phone, payWithin: '25s' });

/** Returns a new browser with the device and language of a way, watched for faults, and its payment page. */
async function customerOf(way: Way, browser: Browser, options: BrowserContextOptions) {
  const extraHTTPHeaders = { 'x-forwarded-for': newAddress() };
  const context = await browser.newContext({ ...options, ...way.device, locale: way.language, extraHTTPHeaders });
  const watch = new Watch(context);
  return { context, watch, screen: new PaymentPage(await context.newPage(), texts(way.language)) };
}

test('a phone that was lost comes back after the deadline: what was paid in time stands, what came late goes back', async ({
  browser,
  contextOptions,
  program,
  bank,
}) => {
  test.setTimeout(180_000);
  const cases = ways.flatMap((way) => (['too_late', 'never'] as const).map((fate) => ({ way, fate })));
  const payments = [];
  for (const { way, fate } of cases) {
    const customer = await customerOf(way, browser, contextOptions);
    const order = await orderToPay(new Caller(program, way.spot.brand, way.language), way.spot, way.type);
    const { screen } = customer;
    const paying = { order, screen, bank };
    await screen.open(order);
    if (!way.beginsItself) await begin(way, paying);
    await expectBegun(way, paying);
    if (fate === 'too_late') await way.end(paying, fate);
    else if (way === cardOnOurPage) await way.end(paying, 'three_ds_2_plain');
    await expect.poll(async () => (await attemptsOf(order.caller, order.id)).length).toBe(1);
    await screen.page.goto('about:blank');
    payments.push({ way, fate, order, ...customer });
  }
  for (const { fate, order } of payments) await expectAgreement(order, bank, fate === 'too_late' ? 'refunded' : 'canceled', 1);
  for (const { way, fate, order, screen, watch, context } of payments) {
    await screen.open(order);
    const title = fate === 'too_late' ? '{sum} went back to you' : 'The order is canceled';
    await expect(screen.about(title)).toBeVisible();
    if (way === ways[0]) await expectSound(screen.page, `after the deadline: ${fate}`);
    expect(watch.unexpectedFaults()).toEqual([]);
    await context.close();
  }
});

test('the time runs out while the customer looks: the cart is full, and they can order again', async ({
  payment,
  stranger,
  bank,
}) => {
  const { page, say } = payment;
  const order = await orderToPay(stranger, sberPay.spot, sberPay.type);
  await payment.open(order);
  await expect(payment.button('Send the request')).toBeVisible();
  await page.waitForURL(/\/back-to-home/, { timeout: 45_000 });
  await expect(page.getByRole('heading', { name: say('The time to pay has run out') })).toBeVisible();
  await expectAgreement(order, bank, 'canceled', 0);
  await expectSound(page, 'back home after the deadline');
  await page.getByRole('link', { name: say('Back to the checkout') }).click();
  await expect(page).toHaveURL(/\/cart/);
});

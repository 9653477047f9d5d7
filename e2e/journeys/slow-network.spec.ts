import type { Page } from '@playwright/test';
import { phone } from '../harness/screen.ts';
import { type NetworkFaults, SlowNetwork } from '../harness/slow-network.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';
import type { Schema } from '../harness/caller.ts';

test.use({ ...phone });

const isWhole = process.env.SERVERY_SLOW_NETWORK === '1';

/** The faults of the network. With `make slow-network` the line is slower and cut as often. */
const faults: NetworkFaults = isWhole
  ? { kilobitsPerSecond: 250, delay: 600, cutEvery: 10 }
  : { kilobitsPerSecond: 4000, delay: 60, cutEvery: 10 };

const dish = 'Эдамаме с морской солью';
const number = '9161110016';

/** How many milliseconds an order may take from the first request to the tracking page. */
const longest = 180_000;

test('an order over a slow network that loses every tenth connection is placed once', async ({
  page,
  program,
  stranger,
  say,
  watch,
}) => {
  test.setTimeout(longest + 60_000);
  watch.expectFault(/^request failed: .* net::ERR_(EMPTY_RESPONSE|CONNECTION_\w+|INCOMPLETE_CHUNKED_ENCODING)/);
  watch.expectFault(/^console error: .*(net::ERR_|Unable to preload CSS|Failed to fetch dynamically imported module)/);
  const network = await SlowNetwork.start(program.port, faults);
  network.losesAnswerOf = 'POST /api/order/create';
  // Where a list or a page does not come several times in a row, its words say what helps, and the customer does it.
  for (const help of ['Try again', 'Reload the page']) {
    const button = page.getByRole('button', { name: say(help) }).first();
    await page.addLocatorHandler(button, () => button.click());
  }
  const shop = new Storefront(page, say);
  const began = Date.now();
  try {
    await open(page, `${network.origin('sushi')}/moscow`, () => shop.ready());
    await shop.pickUpAt('Умико на Новослободской');
    await shop.add(dish);
    await shop.goToCart();
    await shop.goToForm();
    await shop.chooseEarliest();
    await shop.introduce('Анна', number);
    const id = await shop.placeOrder();
    expect(network.cuts).toContain('POST /api/order/create: answer is lost');
    await expect(page.getByRole('list', { name: say('What is ordered') })).toContainText(dish);
    expect(Date.now() - began).toBeLessThan(longest);

    const orders = await stranger.operate<{ orders: Schema<'OperatorOrder'>[] }>(
      'GET',
      `/orders/search?site=sushi&phone=7${number}`,
    );
    expect(orders.orders.map((order) => order.order_id)).toEqual([id]);
  } finally {
    network.stop();
    test.info().annotations.push({ type: 'cut', description: network.cuts.join('\n') });
    process.stdout.write(`${network.cuts.length} connections were cut:\n${network.cuts.join('\n')}\n`);
  }
});

/** Opens an address, and opens it again when the document does not arrive or the page does not start. */
async function open(page: Page, address: string, isReady: () => Promise<void>): Promise<void> {
  for (let loads = 1; ; loads += 1) {
    try {
      await page.goto(address, { waitUntil: 'commit' });
      await isReady();
      return;
    } catch (error) {
      if (loads === 3) throw error;
    }
  }
}

import type { Page } from '@playwright/test';
import type { Schema } from '../harness/caller.ts';
import { desktop, expectSound, phone, slowDown } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

/**
 * How long a map may take to open on a slow phone, in milliseconds. It is held to on a machine that does nothing else,
 * with SERVERY_MEASURE=1; elsewhere the machine itself takes longer.
 */
const longestOpening = process.env.SERVERY_MEASURE === '1' ? 1500 : 10_000;

/** Returns the hosts that the page has asked for anything, and the names of its scripts, as they are loaded. */
function noteRequests(page: Page) {
  const hosts = new Set<string>();
  const scripts: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http')) hosts.add(url.host);
    if (url.pathname.endsWith('.js')) scripts.push(url.pathname);
  });
  return { hosts, hasMap: () => scripts.some((name) => name.includes('leaflet-map')) };
}

test.describe('the map of a city on a slow phone', () => {
  test.use({ ...phone, brand: 'pizza', language: 'ru' });

  test('opens quickly, and its script is loaded only with it', async ({ page, say }) => {
    const asked = noteRequests(page);
    const shop = new Storefront(page, say);
    await shop.openHome('berlin');
    expect(asked.hasMap()).toBe(false);
    const speedUp = await slowDown(page);
    // The page notes both times itself: how long Playwright takes to tap and to look is not counted.
    await page.evaluate(() => {
      const times = window as unknown as { opening: Promise<number> };
      times.opening = new Promise((resolve) => {
        let tapped = 0;
        addEventListener('pointerdown', () => (tapped ||= performance.now()), true);
        const observer = new MutationObserver(() => {
          if (document.querySelector('[data-tiles="shown"]')) resolve(performance.now() - tapped);
        });
        observer.observe(document, { subtree: true, childList: true, attributeFilter: ['data-tiles'] });
      });
    });
    await shop.promiseButton().tap();
    const opened = await page.evaluate(() => (window as unknown as { opening: Promise<number> }).opening);
    await speedUp();
    expect(asked.hasMap()).toBe(true);
    expect([...asked.hosts]).toHaveLength(1);
    test.info().annotations.push({ type: 'map opened in ms', description: String(Math.round(opened)) });
    expect(opened).toBeLessThan(longestOpening);
  });
});

/**
 * Returns the pairs of labels and pins of the map that overlap, each as the text of both. Two pins without names, whose
 * shops are near each other, are left out.
 */
const overlaps = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('.map-pin, .map-zone-label, .map-street-name')].filter((element) => element.checkVisibility({ visibilityProperty: true }));
    const boxes = shown.map((element) => ({
      text: element.textContent,
      isPin: element.matches('.map-pin[data-crowded]'),
      ...element.getBoundingClientRect().toJSON(),
    }));
    return boxes.flatMap((a, i) =>
      boxes
        .slice(i + 1)
        .filter((b) => !(a.isPin && b.isPin) && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        .map((b) => `${a.text} / ${b.text}`),
    );
  });

for (const [device, options] of [['a phone', phone], ['a desktop', desktop]] as const) {
  test.describe(`a map without a map file on ${device}`, () => {
    test.use({ ...options, brand: 'pizza', language: 'ru' });

    test('has labels that do not overlap, at any zoom', async ({ page, say }) => {
      const shop = new Storefront(page, say);
      await shop.openHome('moscow');
      const dialog = await shop.openPlace();
      await expect(dialog.locator('.map-zone-label').first()).toBeVisible();
      await expect(page.locator('.map-street-name').first()).toBeAttached();
      await expect(page.getByRole('tooltip'), 'no screen reader lists the names of streets').toHaveCount(0);
      for (const button of ['Zoom in', 'Zoom out', 'Zoom out'] as const) {
        await expect.poll(() => overlaps(page)).toEqual([]);
        await dialog.getByRole('button', { name: say(button) }).click();
      }
      await expect.poll(() => overlaps(page)).toEqual([]);
      await page.goto('/moscow/shops');
      const map = page.getByRole('radio', { name: say('Map') }).filter({ visible: true });
      if (device === 'a phone') await map.check();
      await expect(page.locator('.map-pin')).toHaveCount(3);
      await expect.poll(() => overlaps(page)).toEqual([]);
    });
  });
}

test.describe('the shops on a map', () => {
  test.use({ ...desktop, brand: 'pizza', language: 'ru' });

  test('are buttons with a size, and one is chosen by the keyboard', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    const dialog = await shop.openPlace();
    await shop.chooseTakeaway(dialog);
    const pin = dialog.getByRole('region', { name: say('Map of shops') }).getByRole('button', { name: 'Покровка' });
    const { width = 0, height = 0 } = (await pin.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    await pin.focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(shop.promiseButton()).toContainText('Покровка');
  });
});

test.describe('a courier on the map', () => {
  test.use({ ...phone, brand: 'pizza', language: 'ru' });

  test('comes, stands and arrives, while the map stays where it is', async ({ page, say, stranger }) => {
    test.setTimeout(120_000);
    const asked = noteRequests(page);
    const shop = new Storefront(page, say);
    const id = await orderInBerlin(page, shop);
    await stranger.operate('POST', `/orders/${id}/status`, { status: 'cooking' });
    await stranger.operate('POST', `/orders/${id}/courier`, { id: 'jonas', name: 'Jonas' });
    await expect(page.getByText('Jonas'), 'the page of the order names its courier').toBeVisible();
    await stranger.operate('POST', `/orders/${id}/status`, { status: 'sent' });
    const { order } = await stranger.operate<{ order: Schema<'OperatorOrder'> }>('GET', `/orders/${id}`);
    const home = order.to ?? { latitude: 0, longitude: 0 };
    /** Reports the courier at a share of the way that is left: 1 at its beginning, 0 at the door. */
    const report = (left: number, more: object = {}) =>
      stranger.operate('POST', `/orders/${id}/courier-location`, { coordinates: onWay(home, left), ...more });
    const map = page.getByRole('region', { name: say('Where the courier is') });
    const pin = (name: string | RegExp) => map.locator('.map-marker').filter({ hasText: name }).locator('svg');
    const [homePin, courierPin] = [pin('Ораниенштрассе, 20'), pin(say('Courier'))];
    const centres: string[] = [];
    /** Returns where the home is in the window, which moves when the centre of the map does. */
    const homeAt = async () => {
      const box = await homePin.boundingBox();
      centres.push(`${Math.round(box?.x ?? -1)} ${Math.round(box?.y ?? -1)}`);
      return centres.at(-1);
    };

    await test.step('is in the first view with the home, the way and the minutes', async () => {
      const route = [1, 0.6, 0.3, 0].map((left) => Object.values(onWay(home, left)));
      await report(1, { minutes: 9, route });
      await expect(page.getByText('примерно через 9 мин')).toBeVisible();
      await expect(homePin).toBeInViewport();
      await expect(courierPin).toBeInViewport();
      await expect(map.locator('.map-route')).toHaveCount(1);
      await expect(map.locator('[data-tiles="shown"]')).toBeVisible();
      await expectSound(page, 'courier on the map');
    });

    await test.step('comes, and the map does not move', async () => {
      const before = await homeAt();
      for (const left of [0.7, 0.4, 0.2]) {
        const was = await courierPin.boundingBox();
        await report(left);
        await expect.poll(() => courierPin.boundingBox()).not.toEqual(was);
        expect(await homeAt()).toBe(before);
      }
      await expect(page.getByText('примерно через')).toHaveCount(0);
    });

    await test.step('leaves the view, which holds both again', async () => {
      await report(2.5);
      await expect.poll(homeAt).not.toBe(centres[0]);
      await expect(courierPin).toBeInViewport();
      await expect(homePin).toBeInViewport();
    });

    await test.step('leaves the map where the customer has moved it', async () => {
      const box = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const before = await homeAt();
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 90, y + 20, { steps: 8 });
      await page.mouse.up();
      await expect.poll(homeAt).not.toBe(before);
      // The map glides on for a moment.
      let last: string | undefined;
      await expect
        .poll(async () => {
          const was = last;
          last = await homeAt();
          return last === was;
        })
        .toBe(true);
      const was = await courierPin.boundingBox();
      await report(6);
      await expect.poll(() => courierPin.boundingBox()).not.toEqual(was);
      expect(await homeAt()).toBe(last);
    });

    await test.step('is not shown as moving after ten minutes in one place', async () => {
      // Half a minute more, because the page counts whole minutes by the server's clock, which it knows to the second.
      const [now, before] = [0, 12.5].map((minutes) => new Date(Date.now() - minutes * 60_000).toISOString());
      const standing = { coordinates: onWay(home, 0.5), reported_at: now, still_since: before, minutes: 4 };
      await page.route('**/get-courier-location*', (route) => route.fulfill({ json: standing }));
      await page.route(`**/api/order/${id}/events`, (route) => route.fulfill({ status: 204, body: '' }));
      await page.reload();
      await expect(page.getByText('Курьер стоит на месте 12 мин.')).toBeVisible();
      await expect(page.getByText('примерно через')).toHaveCount(0);
      await page.unrouteAll();
    });

    await test.step('arrives, and the map is gone', async () => {
      await stranger.operate('POST', `/orders/${id}/status`, { status: 'done' });
      await page.reload();
      await expect(shop.state()).toContainText('Заказ доставлен');
      await expect(map).toHaveCount(0);
    });
    expect([...asked.hosts]).toHaveLength(1);
    test.info().annotations.push({ type: 'home on the map', description: centres.join('; ') });
  });
});

/** Returns a point of the courier's way, which leads to the home from the north-west. */
const onWay = ({ latitude, longitude }: Schema<'OperatorPoint'>, left: number) => ({
  latitude: latitude + 0.012 * left,
  longitude: longitude - 0.01 * left,
});

/** Orders for delivery to Oranienstraße 20 in Berlin, for cash, and returns the number of the order. */
async function orderInBerlin(page: Page, shop: Storefront): Promise<number> {
  await shop.openHome('berlin');
  await shop.deliverTo('oranienstr 20', /20/, 'Müller', 'Name at the doorbell');
  for (const dish of ['Маргарита', 'Пепперони']) await shop.addWith(dish, []);
  await shop.goToCart();
  await shop.goToForm();
  await shop.chooseFirst();
  await shop.introduce('Анна', '15112345679');
  await page.getByRole('radio', { name: /налич/i }).check();
  await page.getByRole('checkbox', { name: /условиями продажи/ }).check();
  return shop.placeOrder();
}

import type { Locator } from '@playwright/test';
import { Caller } from '../harness/caller.ts';
import { orderToPay, pizzaInMoscow, sushiInMoscow } from '../harness/paying.ts';
import { desktop, phone } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { Tour } from '../harness/tour/tour.ts';

const dark = [{ colorScheme: 'dark' }, { colorScheme: 'dark', forcedColors: 'active' }] as const;
const [black, white] = ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'];

/** Returns how wide the edge of an element is, in CSS pixels. */
const edgeOf = (element: Locator) =>
  element.evaluate((shown) => Number.parseFloat(getComputedStyle(shown).borderTopWidth));

test.describe('a phone in forced colours', () => {
  test.use({ ...phone, brand: 'pizza' });

  test('shows in another way what colour alone would show', async ({ page, say, program }) => {
    await page.emulateMedia({ forcedColors: 'active', contrast: 'more' });
    const tour = await Tour.begin({ page, brand: 'pizza', say, caller: new Caller(program, 'pizza', 'ru') });

    await test.step('the bar of the cart and a dialog have an edge', async () => {
      await tour.goTo();
      expect(await edgeOf(page.getByRole('region', { name: say('Cart') }).getByRole('link'))).toBe(1);
      await tour.openByAddress('cities');
      expect(await edgeOf(tour.shop.dialog())).toBe(1);
    });

    await test.step('a link that looks like a button has an edge', async () => {
      await tour.goTo('/profile?tab=orders');
      const link = tour.orderCard(tour.active).getByRole('link', { name: say('Where is it now') });
      expect(await edgeOf(link)).toBe(1);
    });

    await test.step('the zones in the list keep the colours that they have on the map', async () => {
      await tour.goTo('/delivery');
      const marks = page.getByRole('main').locator('[class*=bg-zone-]');
      await expect(marks.first()).toBeVisible();
      const colours = await marks.evaluateAll((all) => all.map((mark) => getComputedStyle(mark).backgroundColor));
      expect(colours.length).toBeGreaterThan(1);
      expect(new Set(colours).size).toBe(colours.length);
    });
  });
});

test.describe('in dark colours', () => {
  test.use(desktop);

  test.describe('SBP', () => {
    test.use({ brand: 'sushi' });

    test('the code of SBP is black on white, as every bank’s app reads it', async ({ page, payment, stranger, say }) => {
      await payment.open(await orderToPay(stranger, sushiInMoscow, 'sbp'));
      const code = page.getByRole('img', { name: say('QR code for your bank’s app') });
      await expect(code).toBeVisible();
      for (const media of dark) {
        await page.emulateMedia(media);
        await expect(code).toHaveCSS('fill', black);
        await expect(code.locator('..')).toHaveCSS('background-color', white);
      }
    });
  });

  test.describe('3-D Secure', () => {
    test.use({ brand: 'pizza' });

    test('the page of a bank that sets no colours is black on white', async ({ page, payment, stranger, bank }) => {
      await page.emulateMedia(dark[0]);
      await payment.open(await orderToPay(stranger, pizzaInMoscow, 'card_online'));
      await payment.payBy(await bank.card('three_ds_1'));
      await expect(payment.challengeButton(true)).toBeVisible();
      await expect(page.locator('iframe[name=bank-challenge]')).toHaveCSS('background-color', white);
    });
  });
});

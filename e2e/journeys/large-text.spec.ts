import type { Page } from '@playwright/test';
import { phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';

test.describe('with text twice as large, on a phone', () => {
  test.use({ ...phone, brand: 'pizza', language: 'de' });

  test('an order loses no control from the dish to the checkout', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await enlargeText(page);
    await expectNothingLost(page, 'home');
    const dish = await shop.open('Margherita');
    await expectNothingLost(page, 'product');
    await shop.addButton(dish).click();
    const place = page.getByRole('dialog', { name: say('Where to bring it') });
    await expect(place).toBeVisible();
    await expectNothingLost(page, 'place of a delivery');
    await shop.chooseTakeaway(shop.dialog());
    const choose = shop.dialog().getByRole('button', { name: say('Choose: {name}', { name: 'Pokrowka' }) });
    await expect(choose).toBeVisible();
    await expectNothingLost(page, 'place of a takeaway');
    await choose.click();
    await shop.goToCart();
    await expect(page.getByRole('region', { name: say('Goes well with it') }).getByRole('article').first()).toBeVisible();
    await expectNothingLost(page, 'cart');
    await shop.goToForm();
    await shop.waitForTime();
    await expectNothingLost(page, 'checkout');
  });

  test('the words of a choice are not broken letter by letter beside its price', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('berlin');
    await enlargeText(page);
    const dialog = await shop.open('Margherita');
    const name = dialog.getByText('Klassisch', { exact: true }).first();
    const lines = await name.evaluate((text) => text.getClientRects().length);
    expect(lines).toBe(1);
  });
});

test.describe('with text twice as large, in Ukrainian', () => {
  test.use({ ...phone, brand: 'pizza', language: 'uk' });

  test('the cities, the search and the questions lose no control', async ({ page, say }) => {
    const shop = new Storefront(page, say);
    await page.goto('/');
    await enlargeText(page);
    await expectNothingLost(page, 'cities');
    await shop.openHome('moscow');
    await enlargeText(page);
    await page.getByRole('button', { name: say('Search the menu') }).first().click();
    await expect(shop.dialog().getByRole('article').first()).toBeVisible();
    await expectNothingLost(page, 'search');
    await page.goto('/moscow');
    await shop.ready();
    await shop.pickUpAt('Покровка');
    // The page is left once the dish has come to the server.
    await answerTo(page, '/cart/add', () => shop.add('Тирамісу'));
    await page.goto('/moscow/cart');
    await enlargeText(page);
    await shop.button('Empty the cart').click();
    await expect(shop.dialog()).toBeVisible();
    await expectNothingLost(page, 'question');
  });
});

test.describe('with text twice as large in a window of 320 px', () => {
  test.use({ ...phone, viewport: { width: 320, height: 640 }, language: 'uz' });

  test('the long words of pages do not make them scroll sideways', async ({ page }) => {
    for (const path of ['/user-agreement', '/privacy-policy', '/moscow/delivery']) {
      await page.goto(path);
      await enlargeText(page);
      await expectNothingLost(page, path);
    }
  });
});

/** Makes all letters twice as large. */
const enlargeText = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });

/** Expects that the page does not scroll sideways, and that no control of the top dialog or the page leaves the window. */
async function expectNothingLost(page: Page, screen: string) {
  await expect.poll(() => lost(page), { message: `${screen} loses nothing` }).toEqual([]);
}

/**
 * Returns how far the page scrolls sideways, the controls that are outside of the window, and the words on controls that
 * are broken or wider than their control. Rows that scroll sideways by themselves are left out, and dishes that are not
 * drawn yet.
 */
function lost(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth: width, scrollWidth } = document.documentElement;
    const top = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.body;
    const isShown = (element: Element) => element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
    const isInRow = (element: Element) => {
      for (let box = element.parentElement; box && box !== top; box = box.parentElement) {
        if (box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX === 'auto') return true;
      }
      return false;
    };
    const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
    const controls = [...top.querySelectorAll('button, a, input, label')].filter(
      (element) => isShown(element) && element.getClientRects().length > 0 && !element.closest('footer nav, .sr-only, .leaflet-container') && !isInRow(element),
    );
    const outside = controls.flatMap((control) => {
      const { left, right } = control.getBoundingClientRect();
      return left < -1 || right > width + 1 ? [`outside: ${nameOf(control)}`] : [];
    });
    const broken = controls
      .filter((control) => control.matches('button, label:has([type="radio"])'))
      .flatMap((button) => {
        const edge = button.getBoundingClientRect();
        const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
        const faults: string[] = [];
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
          if (text.parentElement?.closest('[data-shortened], .sr-only')) continue;
          for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[\p{L}\d,]+/gu)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const { left, right } = range.getBoundingClientRect();
            const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
            if (lines.size > 1 || left < edge.left - 1 || right > edge.right + 1) faults.push(`broken or cut: ${word}`);
          }
        }
        return faults;
      });
    const scrolled = scrollWidth > width ? [`scrolls sideways by ${scrollWidth - width}`] : [];
    return [...scrolled, ...outside, ...broken];
  });
}

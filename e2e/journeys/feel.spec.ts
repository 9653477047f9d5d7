import type { Page } from '@playwright/test';
import { desktop, phone, slowDown } from '../harness/screen.ts';
import { Storefront, startsWith } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

/** The times of the page in milliseconds, from the press of a finger or a button to what it changes on the screen. */
interface Watch {
  pressed: number;
  /** Resolves to how long after the last press the frame came that first shows an element of the selector. */
  until(selector: string): Promise<number>;
  /**
   * The longest frame since the last call, in milliseconds: from the first task that held it up to its painting. Only
   * frames above 50 are reported by browsers; 0 when there was none.
   */
  longestFrame(): number;
}

/** Begins to watch presses and frames of the page. */
const beginWatch = (page: Page) =>
  page.evaluate(() => {
    let longest = 0;
    const frames = new PerformanceObserver((list) => note(list.getEntries()));
    const note = (entries: PerformanceEntryList) => {
      for (const { duration } of entries) longest = Math.max(longest, duration);
    };
    const watch: Watch = {
      pressed: 0,
      until: (selector) =>
        new Promise((resolve) => {
          const look = () => {
            if (![...document.querySelectorAll(selector)].some((element) => element.checkVisibility())) {
              requestAnimationFrame(look);
              return;
            }
            // The frame that is being made is on the screen when the next task runs.
            setTimeout(() => resolve(performance.now() - watch.pressed));
          };
          look();
        }),
      longestFrame: () => {
        note(frames.takeRecords());
        const result = longest;
        longest = 0;
        return result;
      },
    };
    (window as unknown as { watch: Watch }).watch = watch;
    addEventListener('pointerdown', () => (watch.pressed = performance.now()), true);
    frames.observe({ type: 'long-animation-frame' });
  });

/** Presses by `act`, and returns how many milliseconds later an element of the selector is shown, which was not. */
async function timeOf(page: Page, act: () => Promise<unknown>, selector: string): Promise<number> {
  // It is watched from before the press: how long the browser takes to answer the test is not counted.
  const shown = page.evaluate((wanted) => (window as unknown as { watch: Watch }).watch.until(wanted), selector);
  await act();
  return shown;
}

/** Scrolls the first element of the selector whose name begins so into view, and presses it in the next frame. */
const press = (page: Page, name: string, selector = 'button') =>
  page.evaluate(
    async ([wanted, among]) => {
      const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent ?? '';
      const found = [...document.querySelectorAll<HTMLElement>(among)].find((element) => element.checkVisibility() && nameOf(element).startsWith(wanted));
      if (!found) throw new Error(`no ${among} ${wanted}`);
      found.scrollIntoView({ block: 'center' });
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      found.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
      found.click();
    },
    [name, selector] as const,
  );

/** Adds the first five dishes without modifiers, and returns the median of how soon the count is shown. */
async function timeOfAdd({ page, say }: Storefront): Promise<number> {
  const offers = page.getByRole('button', { name: startsWith(say('Add to cart: {name}, {written}')) });
  const labels = await offers.evaluateAll((all) => all.map((button) => button.getAttribute('aria-label') ?? ''));
  const times: number[] = [];
  for (const label of [...new Set(labels)].slice(0, 5)) {
    const dish = label.replace(/^В корзину: (.*), [^,]*$/, '$1');
    times.push(await timeOf(page, () => press(page, label), `[aria-label^="Добавить ещё: ${dish}"]`));
  }
  expect(times).toHaveLength(5);
  return times.sort((one, other) => one - other)[2] as number;
}

/** Presses a group in the bar, and returns how soon its dishes are in the upper half of the window. */
async function timeOfGroup(page: Page): Promise<number> {
  await page.evaluate(() => window.scrollTo(0, 0));
  const there = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          const top = document.querySelector('[id$="soups"]')?.getBoundingClientRect().top ?? innerHeight;
          if (top < 0 || top > innerHeight / 2) requestAnimationFrame(look);
          else setTimeout(() => resolve(performance.now() - (window as unknown as { watch: Watch }).watch.pressed));
        };
        look();
      }),
  );
  await press(page, 'Супы', 'a');
  return there;
}

/** Resolves when the page has loaded nothing for a second: answers to earlier presses have come. */
const untilQuiet = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const done = () => resolve();
        let quiet = setTimeout(done, 1000);
        new PerformanceObserver(() => {
          clearTimeout(quiet);
          quiet = setTimeout(done, 1000);
        }).observe({ type: 'resource' });
      }),
  );

/** Scrolls through the whole menu, 120 px with each frame, and returns the longest frame. */
async function longestFrameOfScroll(page: Page): Promise<number> {
  await page.evaluate(() => window.scrollTo(0, 0));
  await untilQuiet(page);
  return page.evaluate(async () => {
    const { watch } = window as unknown as { watch: Watch };
    watch.longestFrame();
    while (scrollY + innerHeight < document.documentElement.scrollHeight - 2) {
      window.scrollBy(0, 120);
      await new Promise(requestAnimationFrame);
    }
    // The last frame is reported after it is painted.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)));
    return watch.longestFrame();
  });
}

/** Opens a dish whose dialog has been loaded, and returns how soon its choices are shown. */
async function timeOfDialog(shop: Storefront): Promise<number> {
  const { page } = shop;
  const open = () => timeOf(page, () => press(page, 'Вок с курицей терияки'), '[role=dialog] [type=radio], [role=dialog] [role=radio]');
  await open();
  await page.keyboard.press('Escape');
  await expect(shop.dialog()).toBeHidden();
  return open();
}

for (const [device, options] of Object.entries({ 'the reference phone': phone, 'a desktop': desktop })) {
  test.describe(`on ${device}`, () => {
    test.use({ ...options, brand: 'sushi', language: 'ru' });

    test('answers are felt at once', async ({ page, say }) => {
      test.setTimeout(120_000);
      const shop = new Storefront(page, say);
      await shop.openHome('moscow');
      await shop.pickUpAt('Умико на Новослободской');
      if (options === phone) await slowDown(page);
      await page.waitForLoadState('networkidle');
      await beginWatch(page);
      const times: [what: string, took: number, limit: number][] = [
        ['a dish is in the cart on the screen, the median of five', await timeOfAdd(shop), 100],
        ['a group of the menu is reached', await timeOfGroup(page), 200],
        ['the longest frame while the menu scrolls', await longestFrameOfScroll(page), 50],
        ['a dialog that is loaded opens', await timeOfDialog(shop), 150],
      ];
      const rows = times.map(([what, took, limit]) => `${what}: ${took ? Math.round(took) : 'below 50'} ms, at most ${limit}`);
      process.stdout.write(`On ${device}:\n  ${rows.join('\n  ')}\n`);
      for (const [what, took, limit] of times) expect.soft(took, what).toBeLessThan(limit);
    });
  });
}

import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>;

/** How a browser is set up for a device. */
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
export const desktop = { viewport: { width: 1440, height: 900 } };
export const narrow = { width: 320, height: 700 };

/** The groups of the menu after the second: more of the same dishes in other words. */
const laterGroups = '[id^="group-"] ~ [id^="group-"] ~ [id^="group-"]';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Screens are the same whatever keeps the data: they are scanned in the run on SQLite. */
const isScanned = !process.env.DATABASE_URL;

interface Depth {
  /** Scans every dish of a menu, which takes as long as all else together, and not its first two groups only. */
  wholeMenu?: boolean;
  /** Looks at the contrast of colours alone, where all else has been looked at in other colours. */
  coloursOnly?: boolean;
  /** Looks at one part of the page alone, by its selector. */
  within?: string;
}

/**
 * Expects that axe finds no fault on the screen. Axe looks a second time before a fault counts: what
 * is dimmed while an answer is on its way is none.
 */
export async function expectAccessible(page: Page, screen: string, { wholeMenu, coloursOnly, within }: Depth = {}) {
  if (!isScanned) return;
  // Its other mode puts the results of frames together in a page of its own, which takes longer than the scan.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (coloursOnly) axe.withRules('color-contrast');
  else axe.withTags(rules);
  if (within) axe.include(within);
  if (!wholeMenu) axe.exclude(laterGroups);
  // The visitor's own colours are not the site's to judge, and axe cannot see them.
  const isForced = await page.evaluate(() => matchMedia('(forced-colors: active)').matches);
  if (isForced) axe.disableRules('color-contrast');
  // What lies under a dialog is hidden from everybody, and is scanned where it is on top.
  for (const dialog of ['[role="dialog"]', 'dialog[open]']) {
    if (await page.locator(dialog).count()) axe.include(dialog);
  }
  // What a sticky bar covers at the moment is not small: the scan looks at the page from its top.
  const scrolled = await page.evaluate(() => {
    const before = scrollY;
    scrollTo({ top: 0, behavior: 'instant' });
    return before;
  });
  let { violations } = await axe.analyze();
  if (violations.length > 0) ({ violations } = await axe.analyze());
  await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), scrolled);
  expect(violations.flatMap(describe), `accessibility of ${screen}`).toEqual([]);
}

const describe = ({ id, help, nodes }: AxeResults['violations'][number]) =>
  nodes.map((node) => `${id}: ${help}\n    ${node.target.join(' ')}\n    ${node.html.slice(0, 200)}`);

/** Expects that nothing makes the page wider than the window, nor than a window of 320 px. */
export async function expectNoSidewaysScroll(page: Page, screen: string) {
  if (!isScanned) return;
  const before = page.viewportSize();
  for (const size of [before, narrow]) {
    if (!size) continue;
    await page.setViewportSize(size);
    await expect
      .poll(() => overflow(page), { message: `${screen} fits into ${size.width} px` })
      .toEqual([]);
  }
  if (before) await page.setViewportSize(before);
}

/** What stands out of the window sideways, when the page scrolls sideways. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > width + 1,
    );
    return wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 160));
  });
}

/** Expects a screen that a journey passes to be accessible and to fit into the window. */
export async function expectSound(page: Page, screen: string, depth?: Depth) {
  await expectAccessible(page, screen, depth);
  await expectNoSidewaysScroll(page, screen);
}

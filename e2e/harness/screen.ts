import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>;

/** The settings of a browser for a device. */
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
export const desktop = { viewport: { width: 1440, height: 900 } };
export const narrow = { width: 320, height: 700 };

/** Selects the groups of the menu after the second, whose dishes have the same markup. */
const laterGroups = '[id^="group-"] ~ [id^="group-"] ~ [id^="group-"]';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Screens do not depend on the database, so only the run on SQLite scans them. */
const isScanned = !process.env.DATABASE_URL;

interface Depth {
  /** Scans all groups of a menu instead of the first two; that doubles the time. */
  wholeMenu?: boolean;
  /** Checks only the contrast of colours; for a screen that was scanned in other colours. */
  coloursOnly?: boolean;
  /** Scans only the part of the page with this selector. */
  within?: string;
}

/**
 * Expects that axe finds no fault on the screen. A fault counts only when a second scan finds it too, because a
 * part of the page may be dimmed while it waits for an answer.
 */
export async function expectAccessible(page: Page, screen: string, { wholeMenu, coloursOnly, within }: Depth = {}) {
  if (!isScanned) return;
  // The other mode joins the results of frames in a new page, which takes longer than the scan.
  // What passes is counted, not described, which is quicker.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (coloursOnly) axe.withRules('color-contrast');
  else axe.withTags(rules);
  if (within) axe.include(within);
  if (!wholeMenu) axe.exclude(laterGroups);
  // Forced colours are the visitor's, and axe does not see them.
  const isForced = await page.evaluate(() => matchMedia('(forced-colors: active)').matches);
  if (isForced) axe.disableRules('color-contrast');
  // The page under a dialog is hidden, so only the dialog is scanned.
  for (const dialog of ['[role="dialog"]', 'dialog[open]']) {
    if (await page.locator(dialog).count()) axe.include(dialog);
  }
  // Scan from the top of the page: a control that a sticky bar covers would count as too small.
  const scrolled = await page.evaluate(() => {
    const before = scrollY;
    scrollTo({ top: 0, behavior: 'instant' });
    return before;
  });
  let { violations } = await axe.analyze();
  if (violations.length > 0) ({ violations } = await axe.analyze());
  await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), scrolled);
  expect(violations.flatMap(describe).filter(isFault), `accessibility of ${screen}`).toEqual([]);
}

/**
 * Reports whether the text of a violation names a fault. A control that a bar covers in part is none: it is
 * scrolled from under the bar, and is large enough there.
 */
const isFault = (violation: string) => !violation.includes('partially obscured');

/** Returns a text for each element that breaks a rule of axe. */
const describe = ({ id, help, nodes }: AxeResults['violations'][number]) =>
  nodes.map(
    (node) => `${id}: ${help}\n    ${node.target.join(' ')}\n    ${node.html.slice(0, 200)}\n    ${node.any.map(({ message }) => message).join('; ')}`,
  );

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

/** Returns the first elements that are wider than the window, when the page scrolls sideways. */
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

/**
 * Makes the page as slow as on the reference phone: a processor four times slower, 1.6 Mbit/s and 150 ms. Returns a
 * function that ends the slowness of the processor.
 */
export async function slowDown(page: Page): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 94_000,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return () => session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
}

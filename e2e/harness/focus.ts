import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Presses Tab until the end of the page, at most `steps` times. Returns a line for each element that had the
 * focus and no ring around it, or was out of sight or covered, such as by a sticky bar.
 */
export async function focusFaults(page: Page, steps: number): Promise<string[]> {
  const faults = new Set<string>();
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    const fault = await page.evaluate(faultOfFocus);
    if (fault === 'end') break;
    if (fault) faults.add(fault);
  }
  return [...faults];
}

/**
 * Runs in the page. Returns the fault in how the focused element is shown: empty for none, `end` when the focus
 * has left the page.
 */
function faultOfFocus(): string {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return 'end';
  // A guard of a focus trap has the focus only for a moment.
  if (focused.matches('[data-base-ui-focus-guard], iframe')) return '';
  const box = focused.getBoundingClientRect();
  const name = focused.outerHTML.slice(0, 160);
  /** The elements that may have the ring: also the label or the card of the focused element. */
  const rings = [focused, ...[...focused.children].slice(0, 2), focused.parentElement, focused.closest('label'), focused.nextElementSibling];
  const isForced = matchMedia('(forced-colors: active)').matches;
  /** Chromium draws no outline of an element within a line that has a box in it. */
  const isUndrawn = (element: Element) =>
    getComputedStyle(element).display === 'inline' &&
    [...element.children].some((child) => {
      const { display, position } = getComputedStyle(child);
      return /^(block|flex|grid)$/.test(display) && /^(static|relative)$/.test(position);
    });
  const hasRing = rings.some((element) => {
    if (!element || isUndrawn(element)) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    // Shadows are not drawn where colours are forced.
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || (!isForced && element !== focused.parentElement && boxShadow !== 'none');
  });
  if (!hasRing) return `no ring: ${name}`;
  // An element without a size, such as a map marker or a hidden checkbox, is seen by what is in it or by its label.
  const drawn = [...focused.querySelectorAll('*')].map((child) => child.getBoundingClientRect()).find(({ width, height }) => width > 2 && height > 2);
  const hasSize = box.width > 2 && box.height > 2;
  const seen = hasSize ? box : (drawn ?? (focused.closest('label') ?? focused.parentElement)?.getBoundingClientRect());
  if (!seen) return '';
  const middle = { x: seen.left + seen.width / 2, top: seen.top, bottom: seen.bottom };
  if (middle.bottom <= 0 || middle.top >= innerHeight) return `out of sight: ${name}`;
  for (const y of [Math.max(middle.top + 2, 0), Math.min(middle.bottom - 2, innerHeight - 1)]) {
    const top = document.elementFromPoint(Math.min(Math.max(middle.x, 0), innerWidth - 1), y);
    if (!top || top.contains(focused) || focused.contains(top) || focused.closest('label')?.contains(top)) continue;
    const cover = top.closest('header, nav, footer, [class*=sticky], [class*=fixed]');
    if (cover && !cover.contains(focused) && /fixed|sticky/.test(getComputedStyle(cover).position)) {
      return `covered by ${cover.outerHTML.slice(0, 80)}: ${name}`;
    }
  }
  return '';
}

/** Walks through a dialog by Tab. Returns its faults: no name, or a focus that is or goes outside. */
export async function dialogFaults(page: Page, dialog: Locator): Promise<string[]> {
  const faults: string[] = [];
  // Base UI's guards around the dialog take the focus and pass it on with the next frame, which a
  // browser that has much to do draws late.
  const expectInside = (fault: string) =>
    expect
      .poll(() => dialog.evaluate(describeFocusOutside), { timeout: 3000 })
      .toBe('')
      .catch(async () => faults.push(`${fault}: ${await dialog.evaluate(describeFocusOutside)}`));
  if (!(await dialog.evaluate((element) => Boolean(element.getAttribute('aria-labelledby') ?? element.getAttribute('aria-label'))))) {
    faults.push('the dialog has no name');
  }
  await expectInside('the focus is not in the dialog');
  for (const key of ['Shift+Tab', 'Shift+Tab', 'Tab', 'Tab', 'Tab']) {
    await page.keyboard.press(key);
    await expectInside(`${key} leads out of the dialog`);
  }
  return faults;
}

/** Runs in the page. Describes the focused element when it is outside of the dialog; empty when it is inside. */
function describeFocusOutside(dialog: Element): string {
  const focused = document.activeElement;
  return focused && dialog.contains(focused) ? '' : (focused?.outerHTML.slice(0, 160) ?? 'nothing');
}

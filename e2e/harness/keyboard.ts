import { expect, type Locator, type Page } from '@playwright/test';

/** Presses Tab until the target has the focus; throws after `longest` steps. */
export async function tabTo(page: Page, target: Locator, longest = 120) {
  await expect(target).toBeVisible();
  for (let step = 0; step < longest; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the focus never came to ${target}`);
}

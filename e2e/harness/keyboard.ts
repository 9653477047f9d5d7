import { expect, type Locator, type Page } from '@playwright/test';

/** Walks by Tab until the element has the focus, as a hand on the keyboard does. */
export async function tabTo(page: Page, target: Locator, longest = 120) {
  await expect(target).toBeVisible();
  for (let step = 0; step < longest; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the focus never came to ${target}`);
}

import type { Page } from '@playwright/test';
import { newCustomer } from '../harness/customers.ts';
import { desktop, expectSound, phone } from '../harness/screen.ts';
import { SignIn } from '../harness/sign-in.ts';
import { startsWith, Storefront } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';

test.use({ vk: true });

/** Chooses the account of a name on the page of VK's double. */
async function choose(page: Page, name: string) {
  await expect(page.getByRole('heading', { name: 'VK ID' })).toBeVisible();
  await page.getByRole('link', { name }).click();
}

test.describe('on a desktop', () => {
  test.use({ ...desktop, brand: 'shawarma', language: 'de' });

  test('VK ID signs in who is about to order, and nothing it said stays in the address', async ({ page, say, program }) => {
    test.setTimeout(120_000);
    const shop = new Storefront(page, say);
    const login = new SignIn(page, say, program);
    await shop.openHome('moscow');
    await shop.pickUpAt('Mjasnizkaja');
    await shop.add('Ayran');
    await page.getByRole('button', { name: startsWith(say('Sign in and order')) }).click();
    await expectSound(page, 'sign-in with VK ID');

    await test.step('who says no there has lost nothing', async () => {
      await shop.button('Sign in with VK ID').click();
      await choose(page, 'Отказаться');
      await expect(page.getByRole('heading', { name: say('Signing in by VK did not work') })).toBeVisible();
      await expect(page).toHaveURL(/\/auth\/vk\/callback$/);
      await expectSound(page, 'VK ID was refused');
      await page.getByRole('link', { name: say('Sign in another way') }).click();
      await expect(login.phone()).toBeVisible();
    });

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: startsWith(say('Sign in and order')) }).click();
    await shop.button('Sign in with VK ID').click();
    await choose(page, 'Анна');
    await expect(page).toHaveURL(/\/moscow\/cart$/);
    await expect(login.profile()).toBeVisible();
    await shop.chooseEarliest();
    await shop.introduce('Anna');
    await shop.placeOrder();
  });
});

test.describe('on a phone', () => {
  test.use(phone);

  test('who has no phone at VK confirms one by a code, once', async ({ page, say, program }) => {
    test.setTimeout(120_000);
    const customer = newCustomer('sushi');
    const shop = new Storefront(page, say);
    const login = new SignIn(page, say, program);
    await shop.openHome('moscow');
    await login.entry().click();
    await shop.button('Sign in with VK ID').click();
    await choose(page, 'Вера без телефона');
    await expect(
      page.getByText(say('VK did not share your phone. Confirm it once, then VK is enough to sign in.')),
    ).toBeVisible();
    await expectSound(page, 'sign-in that lacks a phone');
    await login.finish(customer);
    await expect(login.profile()).toBeVisible();

    await test.step('the next time VK is enough', async () => {
      await page.goto('/moscow/profile');
      await shop.button('Sign out').click();
      await expect(login.entry()).toBeVisible();
      await login.entry().click();
      await shop.button('Sign in with VK ID').click();
      await choose(page, 'Вера без телефона');
      await expect(login.profile()).toBeVisible();
    });
  });
});

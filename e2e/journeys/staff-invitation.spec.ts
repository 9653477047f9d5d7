import { codeOf } from '../harness/authenticator.ts';
import { tabTo } from '../harness/keyboard.ts';
import { expectSound, phone } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import type { Language } from '../harness/texts.ts';

test.use(phone);

const journeys: { language: Language; colorScheme: 'light' | 'dark' }[] = [
  { language: 'ru', colorScheme: 'light' },
  { language: 'en', colorScheme: 'dark' },
];

for (const { language, colorScheme } of journeys) {
  test.describe(`in ${language}, ${colorScheme}`, () => {
    test.use({ language, colorScheme });

    test('a person accepts the invitation of "servery staff add" by the keyboard alone, once', async ({
      page,
      program,
      reply,
      watch,
      stranger,
    }) => {
      const login = `olga-${language}`;
      const password = 'salmon-on-tuesdays';
      const link = await program.addStaff(login, 'Olga P.');
      const say = (name: string) => reply(`staff.page_${name}`);
      const field = (name: string) => page.getByLabel(say(name));
      const accept = page.getByRole('button', { name: say('accept') });

      await test.step('the page shows the account and a secret, and the address keeps no invitation', async () => {
        await page.goto(link);
        await expect(page.getByText(login, { exact: true })).toBeVisible();
        await expect(page.getByText('Olga P.')).toBeVisible();
        await expect(page).toHaveURL(/\/staff\/invitation$/);
        const picture = page.getByRole('img', { name: say('qr') });
        expect(await picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
        await expectSound(page, `invitation in ${language}`);
      });

      const secret = (await page.locator('#secret').textContent()) ?? '';
      const wrong = codeOf(secret) === '000000' ? '111111' : '000000';

      await test.step('a wrong code is said at its field, which has the focus', async () => {
        watch.expectRefusal(/\/invitation\/accept$/, 422);
        await tabTo(page, field('password'));
        await page.keyboard.type(password);
        await tabTo(page, page.getByRole('button', { name: say('show') }));
        await page.keyboard.press('Space');
        await expect(field('password')).toHaveAttribute('type', 'text');
        await tabTo(page, field('code'));
        await page.keyboard.type(wrong);
        await page.keyboard.press('Enter');
        await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(reply('staff.wrong_code'));
        await expect(field('code')).toBeFocused();
        await expect(field('code')).toHaveAttribute('aria-invalid', 'true');
        await expectSound(page, `a wrong code in ${language}`);
      });

      await test.step('the right code accepts it, and the recovery codes are shown', async () => {
        await page.keyboard.press('Control+A');
        await page.keyboard.type(codeOf(secret));
        await tabTo(page, accept);
        await page.keyboard.press('Enter');
        await expect(page.getByRole('heading', { name: say('done') })).toBeFocused();
        await expect(page.getByRole('listitem')).toHaveCount(8);
        await expectSound(page, `recovery codes in ${language}`);
      });

      await test.step('they are copied, and one of them signs in', async () => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await tabTo(page, page.getByRole('button', { name: say('copy') }));
        await page.keyboard.press('Enter');
        await expect(page.getByRole('status').filter({ hasText: say('copied') })).toBeVisible();
        const codes = await page.getByRole('listitem').allTextContents();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
        const body = { login, password, code: codes[0] };
        const begun = await stranger.ask<{ self: { person: string } }>('POST', '/operator/sign-in', body);
        expect(begun.self.person).toBe('Olga P.');
      });

      await test.step('the link that is opened again says that it is over', async () => {
        watch.expectRefusal(/\/sign-in\/invitation$/, 404);
        await page.goto(link);
        await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(reply('staff.invitation_over'));
        await expect(accept).toBeHidden();
        await expectSound(page, `an invitation that is over in ${language}`);
      });

      await test.step('an address without invitation says so', async () => {
        await page.goto('/staff/invitation');
        await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(say('no_invitation'));
      });
    });
  });
}

test('the picture of the secret is whole in a brand with round chips', async ({ page, program, reply }) => {
  const link = await program.addStaff('olga-round', 'Olga P.');
  await page.goto(`${program.origin('pizza')}${link}`);
  const picture = page.getByRole('img', { name: reply('staff.page_qr') });
  await expect(picture).toBeVisible();
  const corner = await picture.evaluate((image) => Number.parseFloat(getComputedStyle(image).borderTopLeftRadius));
  expect(corner, 'the marks in the corners of the code stand behind its quiet border').toBeLessThanOrEqual(8);
});

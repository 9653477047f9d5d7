import type { Page } from '@playwright/test';
import { Caller } from '../harness/caller.ts';
import { tabTo } from '../harness/keyboard.ts';
import { desktop, expectAccessible, expectSound, phone } from '../harness/screen.ts';
import { Storefront } from '../harness/storefront.ts';
import { answerTo, expect, test } from '../harness/test.ts';
import type { Say } from '../harness/texts.ts';

const titles = {
  'call-me-back': 'common.request-call',
  feedback: 'common.ask-question',
  supplier: 'common.offer-goods',
  landlord: 'common.offer-premises',
  'return-request': 'common.return-or-exchange',
};

/** The acts of a visitor in a form to the brand. */
class Form {
  readonly dialog;

  constructor(
    readonly page: Page,
    readonly say: Say,
    modal: keyof typeof titles,
  ) {
    this.dialog = page.getByRole('dialog', { name: say(titles[modal]) });
  }

  /** Types texts into the fields, which are named by the ids of their labels. */
  async fill(texts: Record<string, string>) {
    for (const [id, text] of Object.entries(texts)) {
      const field = this.dialog.getByRole('textbox', { name: this.say(id) });
      await field.clear();
      await field.pressSequentially(text);
    }
  }

  acceptTerms() {
    return this.dialog.getByRole('checkbox', { name: this.say('feedback.agreement') }).check();
  }

  /** Presses the send button, which looks disabled without consent but can be pressed to show why. */
  press() {
    return this.dialog.getByRole('button', { name: this.say('feedback.send') }).click({ force: true });
  }

  async expectThanks(text: RegExp) {
    await expect(this.dialog.getByRole('heading', { name: this.say('feedback.thanks') })).toBeVisible();
    await expect(this.dialog.getByText(text)).toBeVisible();
  }

  close() {
    return this.dialog.getByRole('button', { name: this.say('common.close') }).last().click();
  }
}

test.describe('on a phone', () => {
  test.use(phone);

  test('a question is asked from the info menu, with what is missing said at each field', async ({ page, say, program, brand }) => {
    const shop = new Storefront(page, say);
    await shop.openHome('moscow');
    await shop.button('app.frame.info').click();
    await shop.dialog().getByRole('button', { name: say('common.ask-question') }).click();
    const form = new Form(page, say, 'feedback');
    await expectAccessible(page, 'the form of a question');

    await form.press();
    for (const problem of ['common.problem.name-empty', 'feedback.problem.phone-required', 'feedback.problem.not-agreed']) {
      await expect(form.dialog.getByText(say(problem))).toBeVisible();
    }
    await expect(form.dialog.getByText(say('feedback.problem.empty'))).toHaveCount(2);
    await expect(form.dialog.getByRole('textbox', { name: say('common.field.name') })).toBeFocused();
    await expectAccessible(page, 'the form of a question with problems');

    const message = 'Привозите ли вы к озеру?';
    await form.fill({ 'common.field.name': 'Ада', 'common.field.phone': '9161234567', 'feedback.field.email': 'ada@umiko.example', 'feedback.field.message': message });
    await form.acceptTerms();
    const answer = await answerTo(page, '/feedback/questions', () => form.press());
    expect(answer.status()).toBe(200);
    await form.expectThanks(say('feedback.question.thanks', { email: 'ada@umiko.example' }));
    await expectSound(page, 'thanks for a question');
    await form.close();
    // The menu from which it was opened is there again.
    await expect(page.getByRole('dialog', { name: say('app.frame.info') })).toBeVisible();

    const operator = new Caller(program, brand);
    const { forms } = await operator.operate<{ forms: { kind: string; name: string; fields: { message?: string } }[] }>('GET', `/feedback?site=${brand}&kind=question`);
    expect(forms.filter(({ fields }) => fields.message === message)).toMatchObject([{ kind: 'question', name: 'Ада' }]);
  });

  test('every form is opened by its address, and Back leads out of it', async ({ page, say }) => {
    await page.goto('/moscow/about');
    for (const modal of Object.keys(titles) as (keyof typeof titles)[]) {
      await page.goto(`/moscow/delivery?modal=${modal}`);
      const form = new Form(page, say, modal);
      await expect(form.dialog).toBeVisible();
      await page.goBack();
      await expect(form.dialog).toBeHidden();
      await expect(page).toHaveURL(/\/moscow\/delivery$/);
    }
  });
});

test.describe('on a desktop in German', () => {
  test.use({ ...desktop, language: 'de' });

  test('a call is requested with the keyboard from the header, and a refusal of too many is shown in the form', async ({ page, say, watch }) => {
    watch.expectRefusal(/\/feedback\/call-me-back$/, 429);
    await page.goto('/berlin/delivery');
    const more = page.getByRole('banner').getByRole('button', { name: say('app.frame.more') });
    const form = new Form(page, say, 'call-me-back');
    const send = async (number: string) => {
      await tabTo(page, more);
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('dialog').getByRole('button', { name: say('common.request-call') }));
      await page.keyboard.press('Enter');
      await expect(form.dialog).toBeVisible();
      await form.fill({ 'common.field.name': 'Ada', 'common.field.phone': number });
      await form.acceptTerms();
      await page.keyboard.press('Enter');
    };
    await send('301234567');
    await form.expectThanks(say('feedback.call.thanks'));
    await page.keyboard.press('Escape');
    await expect(form.dialog).toBeHidden();
    await expect(more).toBeFocused();

    const message = 'Sie haben bereits mehrere Anfragen gesendet';
    await page.route('**/api/feedback/call-me-back', (route) => route.fulfill({ status: 429, json: { message } }));
    await send('301234568');
    await expect(form.dialog.getByRole('alert')).toHaveText(message);
    await expect(form.dialog.getByRole('textbox', { name: say('common.field.name') })).toHaveValue('Ada');
    await expectAccessible(page, 'a form that was refused');
  });

  test('the page for landlords opens its form, which shows what the server refuses at its field', async ({ page, say, reply, watch }) => {
    watch.expectRefusal(/\/feedback\/landlord-request$/, 422);
    await page.goto('/berlin/landlord');
    const opener = page.getByRole('main').getByRole('button', { name: say('common.offer-premises') });
    await opener.click();
    const form = new Form(page, say, 'landlord');
    await form.fill({
      'common.field.name': 'Ada',
      'common.field.phone': '301234567',
      'feedback.field.email-optional': 'ada..lovelace@umiko.example',
      'feedback.field.city': 'Berlin',
      'feedback.field.shop': 'Torstraße 5',
      'feedback.field.area': 'viel',
    });
    await form.acceptTerms();
    await form.press();
    await expect(form.dialog.getByText(say('feedback.problem.area-wrong'))).toBeVisible();
    await form.fill({ 'feedback.field.area': '120,5' });
    await form.press();
    await expect(form.dialog.getByText(reply('customer.email_invalid'))).toBeVisible();
    const email = form.dialog.getByRole('textbox', { name: say('feedback.field.email-optional') });
    await expect(email).toBeFocused();
    await expectSound(page, 'the form of landlords');
    await form.fill({ 'feedback.field.email-optional': 'ada@umiko.example' });
    await form.press();
    await form.expectThanks(say('feedback.landlord.thanks'));
    await form.close();
    await expect(opener).toBeFocused();
  });
});

import { expect, type Locator, type Page } from '@playwright/test';
import { startsWith } from './storefront.ts';
import type { OnlineOrder } from './paying.ts';
import type { Say } from './texts.ts';

/** The acts of a customer on the payment page. */
export class PaymentPage {
  constructor(
    readonly page: Page,
    readonly say: Say,
  ) {}

  /** Opens the payment page of an order, in the session of the caller who ordered. */
  async open(order: OnlineOrder) {
    await order.caller.lendSession(this.page.context());
    await this.page.goto(this.address(order));
  }

  /** Opens the page in another tab of the same browser. */
  async openAgain(order: OnlineOrder): Promise<PaymentPage> {
    const other = new PaymentPage(await this.page.context().newPage(), this.say);
    await other.page.goto(this.address(order));
    return other;
  }

  private address = ({ caller, path }: OnlineOrder) => caller.origin + path;

  /** The heading of the step that the page shows now. */
  about(id: string): Locator {
    return this.page.getByRole('heading', { level: 2, name: this.say(id) });
  }

  /** The button whose text begins with one of the texts, named by their English; a sum may follow. */
  button(...ids: string[]): Locator {
    const words = ids.map((id) => this.say(id));
    return this.page.getByRole('main').getByRole('button', { name: startsWith(...words) }).first();
  }

  /** A link of the page, by the English of its text. */
  link(id: string): Locator {
    return this.page.getByRole('main').getByRole('link', { name: this.say(id) });
  }

  async expectPaid() {
    await expect(this.about('We have accepted your order')).toBeVisible({ timeout: 20_000 });
  }

  /** Expects the page to show why the payment was refused; the reason may be a part of a longer text. */
  async expectRefused(reason: RegExp) {
  	const words = new RegExp(reason.source.replace(/^\^|\$$/g, ''), 'u');
    await expect(this.page.getByRole('main').getByText(words).first()).toBeVisible({ timeout: 20_000 });
  }

  /** Dispatches the event by which the page notices that the customer has come back from another program. */
  async comeBackToTab() {
    await this.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  }

  field(id: string): Locator {
    return this.page.getByRole('textbox', { name: this.say(id) });
  }

  /** Types a card, and expects the focus to move to the next field by itself. */
  async enterCard(number: string, cvc = '123') {
    await this.field('Card number').pressSequentially(number);
    await expect(this.page.locator('input[autocomplete=cc-exp]')).toBeFocused();
    await this.page.keyboard.type('1230');
    await expect(this.page.locator('input[autocomplete=cc-csc]')).toBeFocused();
    await this.page.keyboard.type(cvc);
  }

  /** Enters a card and pays. */
  async payBy(number: string) {
    await this.enterCard(number);
    await this.button('Pay').click();
  }

  /** The button in the frame of 3-D Secure that confirms the payment as the customer's, or denies it. */
  challengeButton(isCustomer: boolean): Locator {
    const frame = this.page.frameLocator('iframe[name=bank-challenge]');
    return frame.locator(`button[name=answer][value=${isCustomer ? 'yes' : 'no'}]`);
  }
}

import { expect, type Locator, type Page } from '@playwright/test';
import { startsWith } from './storefront.ts';
import type { OnlineOrder } from './paying.ts';
import type { Say } from './texts.ts';

/** What a customer does on the page where an order is paid. */
export class PaymentPage {
  constructor(
    readonly page: Page,
    readonly say: Say,
  ) {}

  /** Opens the page in the session of anyone who ordered. */
  async open(order: OnlineOrder) {
    await order.caller.lendSession(this.page.context());
    await this.page.goto(this.address(order));
  }

  /** The same customer opens the page once more. */
  async openAgain(order: OnlineOrder): Promise<PaymentPage> {
    const other = new PaymentPage(await this.page.context().newPage(), this.say);
    await other.page.goto(this.address(order));
    return other;
  }

  private address = ({ caller, path }: OnlineOrder) => caller.origin + path;

  /** What the page is about just now. */
  about(id: string): Locator {
    return this.page.getByRole('heading', { level: 2, name: this.say(id) });
  }

  /** A button by the English original of its words; a sum may follow them. */
  button(...ids: string[]): Locator {
    const words = ids.map((id) => this.say(id));
    return this.page.getByRole('main').getByRole('button', { name: startsWith(...words) }).first();
  }

  /** A link of what the page is about, by the English original of its words. */
  link(id: string): Locator {
    return this.page.getByRole('main').getByRole('link', { name: this.say(id) });
  }

  async expectPaid() {
    await expect(this.about('We have accepted your order')).toBeVisible({ timeout: 20_000 });
  }

  /** Expects the page to say why the payment was refused; `why` may stand inside a longer text. */
  async expectRefused(why: RegExp) {
    const words = new RegExp(why.source.replace(/^\^|\$$/g, ''), 'u');
    await expect(this.page.getByRole('main').getByText(words).first()).toBeVisible({ timeout: 20_000 });
  }

  /** The customer looks at another program and then at the page again. */
  async lookAgain() {
    await this.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  }

  field(id: string): Locator {
    return this.page.getByRole('textbox', { name: this.say(id) });
  }

  /** Types a card as hands do: the focus goes on by itself. */
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

  /** The button of the bank's 3-D Secure page, in its frame, that says whether it is the customer who pays. */
  proof(isCustomer: boolean): Locator {
    const frame = this.page.frameLocator('iframe[name=bank-challenge]');
    return frame.locator(`button[name=answer][value=${isCustomer ? 'yes' : 'no'}]`);
  }
}

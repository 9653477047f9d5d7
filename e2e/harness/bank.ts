import type { Locator, Page } from '@playwright/test';
import type { Program } from './program.ts';

const root = '/dev/sandbox';

/** A payment as the test bank's own books have it. Sums are decimal. */
export interface BankPayment {
  ref: string;
  state: 'paid' | 'pending' | 'failed' | 'absent';
  reason?: string;
  amount: string;
  refunded: string;
  page?: string;
}

/** A fault of one of the shop's calls to the bank. */
export interface Fault {
  site: string;
  call: 'start' | 'finish' | 'status' | 'cancel' | 'refund';
  fault: 'lost_before' | 'lost_after' | 'busy';
}

/** The test bank, beside the browser: its books, its cards and the customer's own phone. */
export class Bank {
  private cards: Map<string, string> | undefined;

  constructor(private readonly program: Program) {}

  /** Returns the bank's payments with an id; none when the bank never got a call about it. */
  async payments(id: string): Promise<BankPayment[]> {
    const { payments } = await this.read<{ payments: BankPayment[] }>(`/payments.json?id=${id}`);
    return payments;
  }

  /** Returns the number of the test card that makes a payment end with the outcome. */
  async card(outcome: string): Promise<string> {
    if (!this.cards) {
      const { cards } = await this.read<{ cards: { key: string; number: string }[] }>('/cards.json');
      this.cards = new Map(cards.map(({ key, number }) => [key, number]));
    }
    const number = this.cards.get(outcome);
    if (!number) throw new Error(`no test card ends with ${outcome}`);
    return number;
  }

  /** Answers on the customer's phone, outside of the browser. */
  async answerOnPhone(page: string, outcome: string): Promise<void> {
    const answer = await this.fetch(page, { outcome });
    if (answer.status !== 303) throw new Error(`${page}: ${answer.status}`);
  }

  /** Makes the next `times` calls of the kind go wrong for a brand; 0 ends that. */
  async breakNext(fault: Fault, times = 1): Promise<void> {
    const answer = await this.fetch(`${root}/faults`, { ...fault, times: String(times) });
    if (answer.status !== 303) throw new Error(`faults: ${answer.status}`);
  }

  /** Posts a form to the test bank and returns the answer without following a redirect. */
  private fetch(path: string, form: Record<string, string>) {
    const body = new URLSearchParams(form);
    return fetch(`http://127.0.0.1:${this.program.port}${path}`, { method: 'POST', body, redirect: 'manual' });
  }

  /** Reads JSON of the test bank. */
  private async read<Body>(path: string): Promise<Body> {
    const answer = await fetch(`http://127.0.0.1:${this.program.port}${root}${path}`);
    return (await answer.json()) as Body;
  }
}

/** The acts of a customer on the pages of the test bank, whose fields are found by their names. */
export class BankPage {
  constructor(private readonly page: Page) {}

  /** Waits until the browser has come to the bank. */
  async ready() {
    await this.page.waitForURL(new RegExp(`${root}/(pay|wallet|sbp|phone)/`));
  }

  /** Enters a card and pays. */
  async payBy(number: string) {
    await this.page.locator('input[name=number]').fill(number);
    await this.page.locator('input[name=expiry]').fill('12/30');
    await this.page.locator('input[name=cvc]').fill('123');
    await this.page.locator('form:has(input[name=number]) button[type=submit]').click();
  }

  /** Cancels the payment, which leads back to the shop. */
  async cancel() {
    await this.page.locator(`form[action^="${root}/cancel/"] button`).click();
  }

  /** The button of 3-D Secure that confirms the payment as the customer's, or denies it. */
  challengeButton(isCustomer = true): Locator {
    return this.page.locator(`button[name=answer][value=${isCustomer ? 'yes' : 'no'}]`);
  }

  /** Confirms the payment as the customer's, or denies it. */
  async completeChallenge(isCustomer: boolean) {
  	await this.challengeButton(isCustomer).click();
  }

  /** Chooses the first of the banks. */
  async chooseBank() {
    await this.page.locator('button[name=bank]').first().click();
  }

  /** Goes back to the shop from a payment that is over. */
  async goBack() {
    await this.page.locator('main a').click();
  }

  /** Chooses how the payment ends; opens the list of rarer outcomes when the button is not shown. */
  async choose(outcome: string) {
    const button = this.page.locator(`button[name=outcome][value=${outcome}]`);
    if (!(await button.isVisible())) await this.page.locator('summary').click();
    await button.click();
  }
}

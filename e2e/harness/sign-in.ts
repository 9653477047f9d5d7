import { expect, type Locator, type Page } from '@playwright/test';
import { type Customer, letterTo } from './customers.ts';
import type { Program } from './program.ts';
import type { Say } from './texts.ts';

/** The acts of a customer who signs in by a code. */
export class SignIn {
  constructor(
    readonly page: Page,
    readonly say: Say,
    readonly program: Program,
  ) {}

  /** The button that opens the dialog, in the header or at the bottom of phones. */
  entry(): Locator {
    return this.page.getByRole('button', { name: this.say('common.sign-in') }).filter({ visible: true }).first();
  }

  /** The button or link to the profile, which is shown once the customer is signed in. */
  profile(): Locator {
    const name = this.say('Profile');
    const button = this.page.getByRole('banner').getByRole('button', { name });
    const link = this.page.getByRole('navigation', { name: this.say('Main') }).getByRole('link', { name });
    return button.or(link).filter({ visible: true }).first();
  }

  /** The dialog, whichever step it is at. */
  dialog(): Locator {
    const field = (id: string) => this.page.getByRole('textbox', { name: this.say(id) });
    return this.page.getByRole('dialog').filter({ has: field('Phone').or(field('Code')) });
  }

  phone(): Locator {
    return this.page.getByRole('dialog').getByRole('textbox', { name: this.say('Phone') });
  }

  code(): Locator {
    return this.page.getByRole('dialog').getByRole('textbox', { name: this.say('Code') });
  }

  /** Types the ten digits of the phone after the country code and requests a code by SMS. */
  async requestCode(customer: Customer) {
    await expect(this.phone()).toBeFocused();
    await this.phone().pressSequentially(customer.phone.slice(1));
    await this.page.getByRole('button', { name: this.say('Get a code by SMS') }).click();
    await expect(this.code()).toBeFocused();
  }

  /** Types the newest code, once `count` codes have been sent. The last digit sends the form. */
  async enterCode(customer: Customer, count = 1) {
    const { code } = await letterTo(this.program, customer, count);
    await this.code().pressSequentially(code);
    await expect(this.dialog()).toBeHidden();
  }

  /** Requests a code and enters it. */
  async finish(customer: Customer) {
  	await this.requestCode(customer);
  	await this.enterCode(customer);
  }
}

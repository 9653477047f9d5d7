import { expect, type Locator, type Page } from '@playwright/test';
import type { Say } from './texts.ts';

/** What a customer does on the screens of a brand, by the words on them. */
export class Storefront {
  constructor(
    readonly page: Page,
    readonly say: Say,
  ) {}

  /** A button by the English original of its words. */
  button(id: string, values?: Record<string, string>): Locator {
    return this.page.getByRole('button', { name: this.say(id, values) });
  }

  /** The dialog that lies on top. */
  dialog(): Locator {
    return this.page.getByRole('dialog').last();
  }

  /** Opens the home page of a city and waits until it answers to presses. */
  async openHome(city: string) {
    await this.page.goto(`/${city}`);
    await this.ready();
  }

  /** Waits until the page has started and shows dishes: the notice that it has not is gone then. */
  async ready() {
    await expect(this.page.locator('#start-notice')).not.toBeAttached();
    const prices = ['Add to cart: {name}, {written}', 'Choose: {name}, {written}'].map((id) => this.say(id));
    await expect(this.page.getByRole('button', { name: startsWith(...prices) }).first()).toBeVisible();
  }

  /** The dish in the list of its group; 'often ordered' may show it once more above. */
  dish(name: string): Locator {
    const heading = this.page.getByRole('heading', { level: 3, name, exact: true });
    return this.page.getByRole('article').filter({ has: heading }).last();
  }

  /** Adds a dish that has nothing to choose. */
  async add(name: string) {
    await this.dish(name).getByRole('button', { name: this.say('Add to cart: {name}, {written}') }).click();
    await expect(this.dish(name).getByRole('button', { name: this.say('Add one: {name}', { name }) })).toBeVisible();
  }

  /** Opens a dish from the list. */
  async open(name: string): Promise<Locator> {
    await this.dish(name).getByRole('button', { name, exact: true }).click();
    const dialog = this.dialog();
    await expect(dialog.getByRole('heading', { name, exact: true }).first()).toBeVisible();
    return dialog;
  }

  /** Adds a dish with the modifiers that are named: radios and ticks, or presses on plus. */
  async addWith(name: string, modifiers: string[]) {
    const dialog = await this.open(name);
    for (const modifier of modifiers) await this.choose(dialog, modifier);
    await this.addButton(dialog).click();
    await expect(dialog).toBeHidden();
  }

  /** Chooses a modifier in the open dish, whichever control it has. */
  async choose(dialog: Locator, modifier: string) {
    const control = dialog
      .getByRole('radio', { name: modifier })
      .or(dialog.getByRole('checkbox', { name: modifier }))
      .or(dialog.getByRole('button', { name: this.say('Add one: {name}', { name: modifier }) }))
      .first();
    await control.click();
  }

  /** The button of the open dish that puts it into the cart. */
  addButton(dialog: Locator): Locator {
    const withPrice = new RegExp(`${startsWith(this.say('Add')).source}\\s*[\\d₽€₺][^:]*$`, 'u');
    return dialog.getByRole('button', { name: withPrice });
  }

  /** The promise in the page's head: how, where and when. */
  promise(): Locator {
    const words = [
      'Delivery',
      'Takeaway',
      'Delivery or takeaway?',
      'Where shall we deliver?',
      'Choose where to pick up',
    ].map((id) => this.say(id));
    return this.page
      .getByRole('button', { name: startsWith(...words) })
      .filter({ visible: true })
      .first();
  }

  /** Opens the order-types dialog by the promise. */
  async openPlace(): Promise<Locator> {
    await this.promise().click();
    await expect(this.dialog()).toBeVisible();
    return this.dialog();
  }

  /** Types an address, takes the suggestion and confirms the house. */
  async deliverTo(typed: string, suggestion: RegExp, room: string) {
    const dialog = await this.openPlace();
    await this.enterAddress(dialog, typed, suggestion);
    await dialog.getByRole('textbox', { name: this.say('Apartment or office') }).fill(room);
    await dialog.getByRole('button', { name: this.say('Deliver here') }).click();
    await expect(dialog).toBeHidden();
  }

  /** Types an address and takes a suggestion. */
  async enterAddress(dialog: Locator, typed: string, suggestion: RegExp) {
    const box = dialog.getByRole('combobox', { name: this.say('Street and house') });
    await box.fill(typed);
    await this.page.getByRole('option', { name: suggestion }).first().click();
  }

  /** Chooses the shop to come to. */
  async pickUpAt(shop: string) {
    const dialog = await this.openPlace();
    await dialog.getByRole('radio', { name: this.say('Takeaway') }).check();
    await dialog.getByRole('button', { name: this.say('Choose: {name}', { name: shop }) }).click();
    await expect(dialog).toBeHidden();
  }

  /** Goes to the cart page: by the bar on phones, by the panel's button on desktop. */
  async goToCart() {
    const bar = this.page.getByRole('link', { name: this.say('Cart, {items}, {sum}') });
    const checkOut = this.page.getByRole('button', { name: startsWith(this.say('Check out')) });
    await bar.or(checkOut).filter({ visible: true }).first().click();
    await expect(this.page).toHaveURL(/\/cart$/);
  }

  /** Goes on from the items to the form, which phones show as a second step. */
  async goToForm() {
    await this.page.getByRole('button', { name: startsWith(this.say('Check out')) }).click();
    await expect(this.page).toHaveURL(/step=2/);
  }

  /** The times that the checkout offers. */
  times(): Locator {
    const when = this.page.getByRole('region', { name: this.say('When') });
    return when.getByRole('listitem').getByRole('button');
  }

  /** When the order comes, as it is said at the button that places it. */
  orderTime(): Locator {
    const [delivery, takeaway] = ['Delivery: {line}', 'Takeaway: {line}'].map((id) => this.page.getByText(this.say(id)));
    return (delivery as Locator).or(takeaway as Locator).filter({ visible: true });
  }

  /** Waits until a time is chosen: the page takes the soonest by itself, and may do so late. */
  async waitForTime() {
    await expect(this.times().and(this.page.locator('[aria-pressed=true]'))).toHaveCount(1);
  }

  /** Takes the soonest time, and waits until the server knows: what changes afterwards has to be shown. */
  async chooseSoonest() {
    await this.waitForTime();
    const soonest = this.times().filter({ hasText: inner(this.say('by {clock}')) });
    const known = this.page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/cart/set-interval');
    await Promise.all([known, soonest.click()]);
    await expect(soonest).toHaveAttribute('aria-pressed', 'true');
  }

  /** The button that places the order. */
  orderButton(): Locator {
    const words = [this.say('Place the order'), this.say('Order with obligation to pay')];
    return this.page.getByRole('button', { name: startsWith(...words) }).filter({ visible: true });
  }

  /** The way to pay on the checkout, by its alias. */
  wayToPay(alias: string): Locator {
    return this.page.locator(`label:has([id$="-${alias}"])`).getByRole('radio').filter({ visible: true });
  }

  /** Places the order, paid on receipt, and returns its number, once the page tracks it. */
  async placeOrder(way: 'cash' | 'card' = 'cash'): Promise<number> {
    await this.wayToPay(way).check();
    await this.orderButton().click();
    await expect(this.page).toHaveURL(/\/order\/\d+\/tracking$/);
    return Number(/order\/(\d+)/.exec(this.page.url())?.[1]);
  }

  /** The one sentence that says where the order stands. */
  state(): Locator {
    return this.page.getByRole('heading', { level: 1 });
  }

  /** A gift or present of the cart, by its name. */
  gift(name: string): Locator {
    const lists = ['Gifts', 'Your presents'].map((id) => this.page.getByRole('region', { name: this.say(id) }));
    const named = this.page.getByText(name, { exact: true });
    return lists.reduce((all, list) => all.or(list)).getByRole('listitem').filter({ has: named });
  }

  /** Takes a gift or present into the cart. */
  async takeGift(name: string) {
    await this.gift(name).getByRole('button', { name: this.say('Take the gift: {name}', { name }) }).click();
    await expect(this.button('Remove the gift: {name}', { name })).toBeVisible();
  }

  /** The field for a code. */
  promocode(): Locator {
    return this.page.getByRole('textbox', { name: this.say('Promo code') });
  }

  /** The toggle that pays with bonuses. */
  bonuses(): Locator {
    return this.page.getByRole('switch', { name: this.say('Pay with bonuses') });
  }

  /** A sum of the order, by the name of its row. */
  sum(id: string): Locator {
    const name = this.page.locator('dt').filter({ hasText: this.say(id) });
    return this.page.locator('dl > div').filter({ has: name }).filter({ visible: true }).locator('dd');
  }

  /** What has changed without the customer: the order waits for a tap on it. */
  changes(): Locator {
    return this.page.getByRole('alert').filter({ visible: true }).filter({ has: this.page.getByRole('button') });
  }

  /** What stands in place of the order button while something has changed; the sum follows its words. */
  seeChanges(): Locator {
    const words = this.say('See what has changed');
    return this.page.getByRole('button', { name: startsWith(words) }).filter({ visible: true });
  }

  /** Sees what has changed and agrees to it; until then there is nothing to order with. */
  async agreeToChanges() {
    await expect(this.orderButton()).toBeHidden();
    await this.seeChanges().click();
    await expect(this.changes()).toBeFocused();
    await this.changes().getByRole('button', { name: this.say('OK, got it') }).click();
    await expect(this.changes()).toBeHidden();
  }

  /** Presses plus at a dish so many times. */
  async addMore(name: string, times: number) {
    const more = this.button('Add one: {name}', { name }).filter({ visible: true }).first();
    for (let time = 0; time < times; time += 1) await more.click();
  }

  /**
   * Fills in who orders. The phone is the ten digits after the country's code; a customer who is
   * signed in orders with the phone of the account, and is asked for none.
   */
  async introduce(name: string, phone?: string) {
    await this.page.getByRole('textbox', { name: this.say('Your name') }).fill(name);
    const field = this.page.getByRole('textbox', { name: this.say('Phone') });
    if (phone === undefined) await expect(field).toBeHidden();
    else await field.pressSequentially(phone);
  }
}

/** Makes a pattern of `say`, which is for a whole text, one for the text wherever it stands. */
const inner = (text: RegExp) => new RegExp(text.source.replace(/^\^\\s\*|\\s\*\$$/g, ''), 'u');

/** Makes patterns of `say`, which are for whole texts, one for a name that begins with any of the texts. */
export function startsWith(...texts: RegExp[]): RegExp {
  return new RegExp(texts.map((text) => text.source.replace(/\\s\*\$$/, '')).join('|'), 'u');
}

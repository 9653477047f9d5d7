import { expect, type Locator, type Page } from '@playwright/test';
import { replyInAnyLanguage, type Say } from './texts.ts';

/** What a card says of a shop that works around the clock. */
const alwaysOpen = replyInAnyLanguage('schedule.open_always');

/** The acts of a customer on the screens of a brand. Controls are found by their texts, named by their English. */
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

  /** Opens the home page of a city and waits until it is hydrated. */
  async openHome(city: string) {
    await this.page.goto(`/${city}`);
    await this.ready();
  }

  /**
   * Presses what stands below the menu, once it has stopped moving: the dishes above get their heights as they come near.
   */
  async pressBelowMenu(target: Locator) {
    await target.scrollIntoViewIfNeeded();
    await target.click();
  }

  /** Waits until the page is hydrated, so that its start notice is gone, and shows dishes. */
  async ready() {
    await expect(this.page.locator('#start-notice')).not.toBeAttached();
    const prices = ['Add to cart: {name}, {written}', 'Choose: {name}, {written}'].map((id) => this.say(id));
    await expect(this.page.getByRole('button', { name: startsWith(...prices) }).first()).toBeVisible();
  }

  /** The dish in the list of its group, which is the last place with its name: 'often ordered' is above. */
  dish(name: string): Locator {
    const heading = this.page.getByRole('heading', { level: 3, name, exact: true });
    return this.page.getByRole('article').filter({ has: heading }).last();
  }

  /** Adds a dish without modifiers and waits until it is in the cart. */
  async add(name: string) {
    await this.dish(name).getByRole('button', { name: this.say('Add to cart: {name}, {written}') }).click();
    await expect(this.dish(name).getByRole('button', { name: this.say('Add one: {name}', { name }) })).toBeVisible();
  }

  /** Opens a dish from the list and returns its dialog. */
  async open(name: string): Promise<Locator> {
    await this.dish(name).getByRole('button', { name, exact: true }).click();
    const dialog = this.dialog();
    await expect(dialog.getByRole('heading', { name, exact: true }).first()).toBeVisible();
    return dialog;
  }

  /** Adds a dish with the named modifiers. A modifier named twice is pressed twice. */
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

  /** The button in the header that shows order type, place and promised time. */
  promiseButton(): Locator {
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

  /** Opens the order-types dialog from the header and returns it. */
  async openPlace(): Promise<Locator> {
    await this.promiseButton().click();
    await expect(this.dialog()).toBeVisible();
    return this.dialog();
  }

  /** Chooses delivery to an address: types it, takes the suggestion, enters what finds the door there and confirms. */
  async deliverTo(typed: string, suggestion: RegExp, door: string, field = 'Apartment or office') {
    const dialog = await this.openPlace();
    await this.enterAddress(dialog, typed, suggestion);
    await dialog.getByRole('textbox', { name: this.say(field) }).fill(door);
    await dialog.getByRole('button', { name: this.say('Deliver here') }).click();
    await expect(dialog).toBeHidden();
  }

  /** Types an address and takes a suggestion. */
  async enterAddress(dialog: Locator, typed: string, suggestion: RegExp) {
    const box = dialog.getByRole('combobox', { name: this.say('Street and house') });
    await box.fill(typed);
    await this.page.getByRole('option', { name: suggestion }).first().click();
  }

  /**
   * Chooses takeaway at a shop that its card says is open around the clock, as most journeys need: they run at any
   * hour. `hours` is what the card says of another shop.
   */
  async pickUpAt(shop: string, hours = alwaysOpen) {
    const dialog = await this.openPlace();
    await this.chooseTakeaway(dialog);
    const choose = this.button('Choose: {name}', { name: shop });
    const card = dialog.getByRole('article').filter({ has: choose });
    await expect(card.getByText(hours)).toBeVisible();
    await card.locator(choose).click();
    await expect(dialog).toBeHidden();
  }

  /** Chooses takeaway in the order-types dialog, and waits until it is chosen. */
  async chooseTakeaway(dialog: Locator) {
    const takeaway = dialog.getByRole('radio', { name: this.say('Takeaway') });
    await takeaway.click();
    await expect(takeaway).toBeChecked();
  }

  /** Goes to the cart page: by the bar on phones, by the panel's button on desktop. */
  async goToCart() {
    const bar = this.page.getByRole('region', { name: this.say('Cart') }).getByRole('link');
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

  /** The line beside the order button with the order type and the promised time. */
  orderTime(): Locator {
    const [delivery, takeaway] = ['Delivery: {line}', 'Takeaway: {line}'].map((id) => this.page.getByText(this.say(id)));
    return (delivery as Locator).or(takeaway as Locator).filter({ visible: true });
  }

  /** Waits until a time is chosen: the page chooses the earliest by itself. */
  async waitForTime() {
    await expect(this.times().and(this.page.locator('[aria-pressed=true]'))).toHaveCount(1);
  }

  /** Chooses the earliest time and waits for the server's answer, so that later changes are shown to the customer. */
  async chooseEarliest() {
    await this.waitForTime();
    // Of a delivery the latest time is shown beside it, of takeaway the one from which it can be picked up.
    const [delivery, takeaway] = ['by {clock}', 'from {clock}'].map((id) => this.times().filter({ hasText: inner(this.say(id)) }));
    await this.chooseTime((delivery as Locator).or(takeaway as Locator));
  }

  /** Chooses the first time that is offered, in a shop that may be closed now, and waits for the server's answer. */
  async chooseFirst() {
    await this.chooseTime(this.times().first());
  }

  private async chooseTime(time: Locator) {
    const known = this.page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/cart/set-interval');
    await Promise.all([known, time.click()]);
    await expect(time).toHaveAttribute('aria-pressed', 'true');
  }

  /** The button that places the order. */
  orderButton(): Locator {
    const words = [this.say('Place the order'), this.say('Order with obligation to pay')];
    return this.page.getByRole('button', { name: startsWith(...words) }).filter({ visible: true });
  }

  /** The radio button of a payment type at the checkout, by the alias of the type. */
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

  /** The heading with the status of the order. */
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

  /** The list of changes that the customer must confirm before ordering. */
  changes(): Locator {
    return this.page.getByRole('alert').filter({ visible: true }).filter({ has: this.page.getByRole('button') });
  }

  /** The button that replaces the order button while there are changes to confirm; a sum follows its text. */
  seeChanges(): Locator {
    const words = this.say('See what has changed');
    return this.page.getByRole('button', { name: startsWith(words) }).filter({ visible: true });
  }

  /** Goes to the changes and confirms them. Expects the order button to be hidden before. */
  async agreeToChanges() {
    await expect(this.orderButton()).toBeHidden();
    await this.seeChanges().click();
    await expect(this.changes()).toBeFocused();
    await this.changes().getByRole('button', { name: this.say('OK, got it') }).click();
    await expect(this.changes()).toBeHidden();
  }

  /** Presses plus at a dish the given number of times. */
  async addMore(name: string, times: number) {
    const more = this.button('Add one: {name}', { name }).filter({ visible: true }).first();
    for (let time = 0; time < times; time += 1) await more.click();
  }

  /**
   * Fills in name and phone. The phone is the ten digits after the country code; without it, expects that there is no
   * field for it, as for a signed-in customer.
   */
  async introduce(name: string, phone?: string) {
    await this.page.getByRole('textbox', { name: this.say('Your name') }).fill(name);
    const field = this.page.getByRole('textbox', { name: this.say('Phone') });
    if (phone === undefined) await expect(field).toBeHidden();
    else await field.pressSequentially(phone);
  }
}

/** Returns the pattern of a whole text without its ends, so that it matches the text inside a longer one. */
const inner = (text: RegExp) => new RegExp(text.source.replace(/^\^\\s\*|\\s\*\$$/g, ''), 'u');

/** Returns a pattern for a name that begins with any of the texts, which are patterns of `say` for whole texts. */
export function startsWith(...texts: RegExp[]): RegExp {
  return new RegExp(texts.map((text) => text.source.replace(/\\s\*\$$/, '')).join('|'), 'u');
}

import { expect } from '@playwright/test';
import { type Bank, BankPage } from './bank.ts';
import type { PaymentPage } from './payment-page.ts';
import { lastAttempt, type OnlineOrder, pizzaInBerlin, pizzaInMoscow, type Spot, sushiInMoscow } from './paying.ts';
import { desktop, phone } from './screen.ts';
import type { Language } from './texts.ts';

/** An order that is being paid, with its payment page and the test bank. */
export interface Paying {
  order: OnlineOrder;
  screen: PaymentPage;
  bank: Bank;
}

/** A way to pay online, with the acts and the expectations that differ between the ways. */
export interface Way {
  type: 'card_online' | 'sbp' | 'sberpay' | 'apple_pay' | 'google_pay';
  title: string;
  spot: Spot;
  device: typeof phone | typeof desktop;
  language: Language;
  /** Whether the first payment attempt begins when the page opens. */
  beginsItself: boolean;
  /**
   * The texts of the buttons that begin an attempt, the first and later ones; none when a card is typed on the
   * page.
   */
  starts: string[];
  /** Whether it leads to a page of the bank in the same tab. */
  leaves: boolean;
  /** The reasons for which the bank can refuse it. */
  reasons: string[];
  /**
   * The ways in which the bank's answer can be lost. `lost_before` is left out for a typed card, which is not
   * sent twice.
   */
  faults: ('lost_before' | 'lost_after')[];
  /** Ends a begun attempt with an outcome of the test bank. */
  end: (paying: Paying, outcome: string) => Promise<void>;
}

/** The reasons that are possible for every way. */
const anywhere = ['insufficient_funds', 'bank_declined', 'limit_exceeded', 'restricted', 'fraud', 'bank_away'];
const ofCards = [...anywhere, 'card_number', 'card_expiry', 'card_code', 'three_ds_failed'];
const ofButtons = [...anywhere, 'customer_cancelled'];

/** Answers on the customer's phone, waits until the shop has the answer, and comes back to the page. */
async function answerOnPhone({ order, screen, bank }: Paying, outcome: string) {
  const page = async () => (await bank.payments((await lastAttempt(order.caller, order.id)).id))[0]?.page;
  await expect.poll(page).toBeTruthy();
  await bank.answerOnPhone((await page()) ?? '', outcome);
  if (outcome === 'too_late') return;
  await expect.poll(async () => (await lastAttempt(order.caller, order.id)).state).not.toBe('pending');
  await screen.comeBackToTab();
}

/** Opens the program of a bank by the link, answers there and goes back. */
async function answerByLink({ screen }: Paying, outcome: string) {
  await screen.link('Open the bank’s app').click();
  const program = new BankPage(screen.page);
  await program.ready();
  await program.chooseBank();
  await program.choose(outcome);
  if (outcome !== 'too_late') await program.goBack();
}

/** Presses the button of the outcome on the wallet's sheet. */
async function pressOnSheet({ screen }: Paying, outcome: string) {
  const sheet = new BankPage(screen.page);
  await sheet.ready();
  await sheet.choose(outcome);
}

export const cardOnBankPage: Way = {
  type: 'card_online',
  title: 'a card on the bank’s page',
  spot: sushiInMoscow,
  device: phone,
  language: 'ru',
  beginsItself: true,
  starts: ['Pay', 'Try again or with another card'],
  leaves: true,
  reasons: [...ofCards, 'customer_cancelled'],
  faults: ['lost_before', 'lost_after'],
  end: async ({ screen, bank }, outcome) => {
    const page = new BankPage(screen.page);
    await page.ready();
    if (outcome === 'customer_cancelled') await page.cancel();
    else await page.payBy(await bank.card(outcome));
  },
};

export const cardOnOurPage: Way = {
  type: 'card_online',
  title: 'a card on our own page',
  spot: pizzaInMoscow,
  device: desktop,
  language: 'uk',
  beginsItself: false,
  starts: [],
  leaves: false,
  reasons: ofCards,
  faults: ['lost_after'],
  end: async ({ screen, bank }, outcome) => screen.payBy(await bank.card(outcome)),
};

export const sbpByCode: Way = {
  type: 'sbp',
  title: 'SBP by a code',
  spot: sushiInMoscow,
  device: desktop,
  language: 'ru',
  beginsItself: true,
  starts: ['Pay by SBP', 'Ask for the code again'],
  leaves: false,
  reasons: ofButtons,
  faults: ['lost_before', 'lost_after'],
  end: answerOnPhone,
};

export const sbpByLink: Way = {
  ...sbpByCode,
  title: 'SBP by a link on a phone',
  device: phone,
  language: 'en',
  end: answerByLink,
};

export const sberPay: Way = {
  type: 'sberpay',
  title: 'SberPay',
  spot: sushiInMoscow,
  device: phone,
  language: 'uz',
  beginsItself: false,
  starts: ['Send the request'],
  leaves: false,
  reasons: ofButtons,
  faults: ['lost_before', 'lost_after'],
  end: answerOnPhone,
};

/** Returns the way to pay by a wallet. */
const wallet = (type: 'apple_pay' | 'google_pay', title: string, language: Language): Way => ({
  type,
  title,
  spot: pizzaInBerlin,
  device: phone,
  language,
  beginsItself: false,
  starts: ['Pay {total} with {name}'],
  leaves: true,
  reasons: ofButtons,
  faults: ['lost_before', 'lost_after'],
  end: pressOnSheet,
});

export const applePay = wallet('apple_pay', 'Apple Pay', 'en');
export const googlePay = wallet('google_pay', 'Google Pay', 'de');

export const ways = [cardOnBankPage, cardOnOurPage, sbpByCode, sbpByLink, sberPay, applePay, googlePay];

/** Presses the button that begins an attempt; does nothing when a card is typed on the page. */
export async function begin(way: Way, { screen }: Paying) {
  if (way.starts.length > 0) await screen.button(...way.starts).click();
}

/** Waits until an attempt has begun and the customer has to act. */
export async function expectBegun(way: Way, { screen }: Pick<Paying, 'screen'>) {
  if (way.leaves) await new BankPage(screen.page).ready();
  else if (way.type === 'sbp') await expect(screen.about('Pay in your bank’s app')).toBeVisible();
  else if (way.type === 'sberpay') await expect(screen.about('Confirm on your phone')).toBeVisible();
}

import { randomInt } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Caller, Schema } from './caller.ts';
import type { Program } from './program.ts';

/** A customer of a brand, by the phone: eleven digits of a Russian number. */
export interface Customer {
  site: 'sushi' | 'shawarma' | 'pizza';
  phone: string;
}

/** Returns a customer of a brand with a new phone. */
export const newCustomer = (site: Customer['site']): Customer => ({
  site,
  phone: `79${randomInt(1e9).toString().padStart(9, '0')}`,
});

/** Returns a link that signs the customer in once, made by the operator's call. */
export async function signInLink(operator: Caller, customer: Customer): Promise<string> {
  const { url } = await operator.operate<{ url: string }>('POST', '/customers/sign-in-link', customer);
  return url;
}

/** Adds bonuses to a customer by the operator's call, and returns the balance. */
export async function giveBonuses(operator: Caller, customer: Customer, bonuses: number): Promise<number> {
  const body = { ...customer, key: `journey-${customer.phone}`, bonuses };
  const { balance } = await operator.operate<{ balance: number }>('POST', '/customers/bonuses', body);
  return balance;
}

/** Adds a present to a customer by the operator's call, and returns its id. `gift` is an alias of the content. */
export async function givePresent(operator: Caller, customer: Customer, gift: string): Promise<number> {
  const body = { ...customer, key: `journey-${customer.phone}`, gift };
  const { id } = await operator.operate<{ id: number }>('POST', '/customers/presents', body);
  return id;
}

/** Signs a caller in as a customer. */
export async function signIn(caller: Caller, customer: Customer): Promise<void> {
  const [, token] = (await signInLink(caller, customer)).split('#');
  await caller.ask('POST', '/user/sign-in', { token });
}

/** A message or call to a phone in the development mailbox. */
export interface Letter {
  channel: 'call' | 'sms';
  code: string;
  /** Empty for a call. */
  text?: string;
}

/** Saves an address of the caller in a city, the first suggestion for the typed text, and returns it. */
export async function saveAddress(
  caller: Caller,
  cityAlias: string,
  typed: string,
): Promise<Schema<'DeliveryAddress'>> {
  const { list } = await caller.ask<Schema<'CityList'>>('GET', '/cities');
  const city_id = list.find(({ alias }) => alias === cityAlias)?.id;
  const { suggestions } = await caller.ask<{ suggestions: Schema<'Suggestion'>[] }>(
    'POST',
    '/geocoder/suggest',
    { city_id, text: typed },
  );
  const { delivery_address } = await caller.ask<Schema<'AddressChoice'>>(
    'POST',
    '/user/addresses/set-by-address',
    { city_id, address: suggestions[0]?.address, room: '9' },
  );
  return delivery_address;
}

/** Returns all letters to a phone, the oldest first. */
export async function lettersTo(program: Program, { phone }: Pick<Customer, 'phone'>): Promise<Letter[]> {
  const answer = await fetch(`http://127.0.0.1:${program.port}/dev/mailbox.json?phone=${phone}`);
  const { letters } = (await answer.json()) as { letters: Letter[] };
  return letters.reverse();
}

/** Waits until exactly `count` letters have been sent to a phone, and returns the last of them. */
export async function letterTo(program: Program, customer: Pick<Customer, 'phone'>, count = 1): Promise<Letter> {
  await expect.poll(async () => (await lettersTo(program, customer)).length).toBe(count);
  const letter = (await lettersTo(program, customer)).at(-1);
  if (!letter) throw new Error('the mailbox has lost a letter');
  return letter;
}

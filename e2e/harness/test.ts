import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { newAddress } from './address.ts';
import { Bank } from './bank.ts';
import { Caller } from './caller.ts';
import type { Content } from './content.ts';
import { PaymentPage } from './payment-page.ts';
import { lengthen, serveLonger } from './longer.ts';
import { type Kitchen, Program, type Setup } from './program.ts';
import { type Language, replies, type Say, texts } from './texts.ts';
import { Visits } from './visits.ts';
import { Watch } from './watch.ts';

export { expect } from '@playwright/test';

interface Options {
  /** Who changes the status of orders. */
  kitchen: Kitchen;
  /** The content of the program. */
  content: Content;
  /** Whether customers can sign in with VK ID too. */
  vk: boolean;
  /** Whether addresses are found by DaData's double in front of the local index. */
  geocoder: boolean;
  /** How long an order that is paid online waits for its payment. */
  payWithin: string;
  /** The brand whose site the test visits. */
  brand: 'sushi' | 'shawarma' | 'pizza';
  /** The language of the customer. */
  language: Language;
  /** The value of the consent cookie; empty for a customer who has not chosen yet. */
  consent: string;
  /** Whether the page's texts are 40 % longer than they are. */
  longer: boolean;
}

interface Fixtures {
  program: Program;
  /** Notes the pages and modals that the test shows, the calls that are made in it, and how they are refused. */
  visits: Visits;
  /** Collects the faults of the test's own context; there must be none at its end. */
  watch: Watch;
  say: Say;
  /** Returns a pattern of a server's message by its key. */
  reply: Say;
  /** Another customer, who calls without a page. */
  stranger: Caller;
  /** The test bank. */
  bank: Bank;
  /** The page where an order is paid. */
  payment: PaymentPage;
  /** Another customer's browser, watched as well. */
  elsewhere: BrowserContext;
}

interface WorkerFixtures {
  programs: (setup: Setup) => Promise<Program>;
}

export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  kitchen: ['operated', { option: true }],
  content: ['demo', { option: true }],
  vk: [false, { option: true }],
  geocoder: [false, { option: true }],
  payWithin: ['10m', { option: true }],
  brand: ['sushi', { option: true }],
  language: ['ru', { option: true }],
  consent: ['necessary', { option: true }],
  longer: [false, { option: true }],

  programs: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const running = new Map<string, Promise<Program>>();
      await use((setup) => {
        const key = Object.values(setup).join();
        const program = running.get(key) ?? Program.start(setup);
        running.set(key, program);
        return program;
      });
      const started = await Promise.allSettled(running.values());
      await Promise.all(
        started.map((result) => (result.status === 'fulfilled' ? result.value.stop() : undefined)),
      );
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  program: async ({ programs, kitchen, content, vk, geocoder, payWithin }, use, info) => {
    const program = await programs({ kitchen, content, vk, geocoder, payWithin });
    const start = program.mark();
    await use(program);
    if (info.status !== info.expectedStatus) {
      await info.attach('log of the program', { body: program.log(start), contentType: 'text/plain' });
    }
  },

  baseURL: async ({ program, brand }, use) => use(program.origin(brand)),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': newAddress() }),

  // The browser asks for the language that the test speaks.
  locale: async ({ language }, use) => use(language),

  say: async ({ language, longer }, use) => use(longer ? texts(language, lengthen) : texts(language)),

  reply: async ({ language }, use) => use(replies(language)),

  stranger: async ({ program, brand, language, visits }, use) =>
    use(new Caller(program, brand, language, (method, path, status) => visits.noteCall(method, path, status))),

  bank: async ({ program }, use) => use(new Bank(program)),

  payment: async ({ page, say }, use) => use(new PaymentPage(page, say)),

  visits: [
    async ({ context }, use, info) => {
      const visits = await Visits.begin(context);
      await use(visits);
      for (const description of visits.names()) info.annotations.push({ type: 'visited', description });
    },
    { auto: true },
  ],

  watch: [
    async ({ context, baseURL, language, consent, longer }, use) => {
      await context.addCookies(cookiesOf(baseURL ?? '', language, consent));
      const watch = new Watch(context);
      if (longer) {
        await serveLonger(context);
        // The documents keep their shorter texts, so hydration finds differences.
        watch.expectFault(/Minified React error #418/);
      }
      await use(watch);
      base.expect(watch.unexpectedFaults(), 'the browser had nothing to complain about').toEqual([]);
    },
    { auto: true },
  ],

  elsewhere: async ({ browser, contextOptions, baseURL, language, consent }, use) => {
    const extraHTTPHeaders = { 'x-forwarded-for': newAddress() };
    const context = await browser.newContext({ ...contextOptions, baseURL, locale: language, extraHTTPHeaders });
    await context.addCookies(cookiesOf(baseURL ?? '', language, consent));
    const watch = new Watch(context);
    await use(context);
    await context.close();
    base.expect(watch.unexpectedFaults(), 'the other browser had nothing to complain about').toEqual([]);
  },
});

/** Returns the cookies of a customer with this language and consent. */
function cookiesOf(url: string, language: Language, consent: string) {
  const chosen = consent === '' ? [] : [{ name: 'cookie_consent', value: consent, url }];
  return [{ name: 'language', value: language, url }, ...chosen];
}

/** Runs an act that makes the page call `/api` + path, and returns the answer to that call. */
export async function answerTo(page: Page, path: string, act: () => Promise<unknown>) {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === `/api${path}`),
    act(),
  ]);
  return answer;
}

/** Opens a page until its document has a body, up to half a minute: the first request of a document gets none. */
export async function openWithBody(page: Page, path: string) {
  await expect
    .poll(async () => (await page.goto(path))?.text(), { timeout: 30_000 })
    .toContain('<header');
}

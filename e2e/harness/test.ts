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
  /** Who moves the orders of the test. */
  kitchen: Kitchen;
  /** What is sold and when. */
  content: Content;
  /** Whether customers can sign in with VK ID too. */
  vk: boolean;
  /** How long an order that is paid online waits for its payment. */
  payWithin: string;
  /** Whose site the test visits. */
  brand: 'sushi' | 'shawarma' | 'pizza';
  /** What the customer reads. */
  language: Language;
  /** What the customer has chosen of cookies, as the cookie keeps it; empty for one who has not been asked yet. */
  consent: string;
  /** Whether the page's texts are 40 % longer than they are. */
  longer: boolean;
}

interface Fixtures {
  program: Program;
  /** Notes the pages and modals that the test shows, the calls that are made in it, and how they are refused. */
  visits: Visits;
  /** Hears faults of the test's own context; there must be none at its end. */
  watch: Watch;
  say: Say;
  /** What the server says, by the key of its message. */
  reply: Say;
  /** Somebody else, who calls without a page. */
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

  program: async ({ programs, kitchen, content, vk, payWithin }, use, info) => {
    const program = await programs({ kitchen, content, vk, payWithin });
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
        // The documents of the program have other texts than the page.
        watch.expectFault(/Minified React error #418/);
      }
      await use(watch);
      base.expect(watch.heard(), 'the browser had nothing to complain about').toEqual([]);
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
    base.expect(watch.heard(), 'the other browser had nothing to complain about').toEqual([]);
  },
});

/** The cookies of a customer who has chosen these. */
function cookiesOf(url: string, language: Language, consent: string) {
  const chosen = consent === '' ? [] : [{ name: 'cookie_consent', value: consent, url }];
  return [{ name: 'language', value: language, url }, ...chosen];
}

/** Waits for the answer to a call that the given act makes the page send. */
export async function answerTo(page: Page, path: string, act: () => Promise<unknown>) {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === `/api${path}`),
    act(),
  ]);
  return answer;
}

/** Opens a page again until it is served with its body: a document that is requested first has none yet. */
export async function openWithBody(page: Page, path: string) {
  await expect
    .poll(async () => (await page.goto(path))?.text(), { timeout: 30_000 })
    .toContain('<header');
}

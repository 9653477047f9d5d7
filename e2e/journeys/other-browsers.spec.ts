import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import type { Driver } from '../browsers/driver.ts';
import { startFirefox } from '../browsers/firefox.ts';
import { BrowserPage } from '../browsers/page.ts';
import { startWebKit } from '../browsers/webkit.ts';
import { Bank } from '../harness/bank.ts';
import { Program } from '../harness/program.ts';
import { startsWith } from '../harness/storefront.ts';
import { texts } from '../harness/texts.ts';

const browser = process.env.SERVERY_BROWSER ?? '';
const say = texts('ru');

/** A dinner of a brand that is picked up in Moscow. */
interface Dinner {
  brand: 'sushi' | 'pizza';
  shop: string;
  dish: string;
  /** The modifier that has to be chosen, when there is one. */
  choice?: RegExp;
  payment: RegExp;
}

const wok: Dinner = {
  brand: 'sushi',
  shop: 'Умико на Новослободской',
  dish: 'Вок с курицей терияки',
  choice: /^Удон/,
  payment: /^Наличными/,
};
const pizza: Dinner = { brand: 'pizza', shop: 'Покровка', dish: 'Пепперони', payment: /^Картой онлайн/ };

test(`a dish with its choice is ordered with cash and followed in ${browser}`, async () => {
  await withShop(async (page, program) => {
    await orderDinner(page, program.origin(wok.brand), wok);
    await page.expectTrue('follow the order', "/\\/order\\/\\d+\\/tracking$/.test(location.pathname)");
    await page.expectTrue('see what is ordered', `document.querySelector('main').textContent.includes('${wok.dish}')`);
  });
});

test(`a pizza is paid by card with 3-D Secure in ${browser}`, async () => {
  await withShop(async (page, program) => {
    const card = await new Bank(program).card('three_ds_2_plain');
    await orderDinner(page, program.origin(pizza.brand), pizza);
    await test.step('the card', async () => {
      await page.type('textbox', say('Card number'), card);
      await page.type('textbox', say('Expiry date'), '1230');
      await page.type('textbox', say('CVC code'), '123');
      await page.click('button', startsWith(say('Pay')));
    });
    await page.clickInFrame('bank-challenge', 'button[name=answer][value=yes]');
    await page.expectShown('heading', say('We have accepted your order'));
  });
});

/** Starts a program and the browser, runs the journey, keeps a picture when it fails, and ends both. */
async function withShop(journey: (page: BrowserPage, program: Program) => Promise<void>) {
  test.setTimeout(240_000);
  const program = await Program.start({ kitchen: 'operated', content: 'demo', vk: false, geocoder: false, payWithin: '10m' });
  const driver = await startBrowser();
  const page = new BrowserPage(driver);
  try {
    await page.resize(1280, 900);
    await journey(page, program);
  } catch (error) {
    await writeFile(test.info().outputPath('screen.png'), await page.screenshot());
    throw error;
  } finally {
    await driver.stop();
    await program.stop();
  }
}

/** Chooses the shop and the dish, fills the form as a guest and places the order. */
async function orderDinner(page: BrowserPage, origin: string, { shop, dish, choice, payment }: Dinner) {
  await page.goto(`${origin}/robots.txt`);
  await page.evaluate("document.cookie = 'language=ru; path=/'; document.cookie = 'cookie_consent=necessary; path=/'");
  await page.goto(`${origin}/moscow`);
  await test.step('the shop', async () => {
    await page.expectShown('button', startsWith(say('Add to cart: {name}, {written}'), say('Choose: {name}, {written}')));
    await page.click('button', startsWith(say('Delivery or takeaway?')));
    await page.click('radio', say('Takeaway'));
    await page.click('button', say('Choose: {name}', { name: shop }));
    await page.expectTrue('see no dialog', "!document.querySelector('[role=dialog]')");
  });
  await test.step('a dish', async () => {
    await page.click('button', new RegExp(`^${dish}$`));
    if (choice) await page.click('radio', choice);
    await page.click('button', new RegExp(`${startsWith(say('Add')).source}\\s*[\\d₽][^:]*$`, 'u'));
    await page.expectTrue('see no dialog', "!document.querySelector('[role=dialog]')");
    await page.click('button', startsWith(say('Check out')));
    await page.expectTrue('see the checkout', "location.pathname.endsWith('/cart')");
  });
  await test.step('when, who and how to pay', async () => {
    await page.expectTrue('see a time', "document.querySelector('main li button[aria-pressed=true]') !== null");
    await page.type('textbox', say('Your name'), 'Анна');
    await page.type('textbox', say('Phone'), '9161234567');
    await page.click('radio', payment);
    await page.click('button', startsWith(say('Place the order')));
  });
}

/** Starts the browser that SERVERY_BROWSER names, firefox or webkit; throws when it is not installed. */
function startBrowser(): Promise<Driver> {
  if (browser === 'firefox') return startFirefox(find('firefox-esr', 'firefox'));
  expect(browser, 'SERVERY_BROWSER').toBe('webkit');
  return startWebKit(find('WebKitWebDriver'), miniBrowser());
}

/** Returns the path of the first of the programs that is installed; throws when none is. */
function find(...names: string[]): string {
  for (const name of names) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // The next name may be installed.
    }
  }
  throw new Error(`${names.join(' and ')} are not installed`);
}

/** Returns the path of the browser that is installed with WebKitWebDriver; throws when there is none. */
function miniBrowser(): string {
  const folders = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => `/usr/lib/${name}/webkit2gtk-4.1`);
  const path = folders.map((folder) => `${folder}/MiniBrowser`).find(existsSync);
  if (!path) throw new Error(`MiniBrowser is in none of ${folders.join(', ')}`);
  return path;
}

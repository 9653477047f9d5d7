import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import type { Driver } from '../browsers/driver.ts';
import { startFirefox } from '../browsers/firefox.ts';
import { BrowserPage } from '../browsers/page.ts';
import { startWebKit } from '../browsers/webkit.ts';
import { Program } from '../harness/program.ts';
import { startsWith } from '../harness/storefront.ts';
import { texts } from '../harness/texts.ts';

const browser = process.env.SERVERY_BROWSER ?? '';
const say = texts('ru');
const dish = 'Вок с курицей терияки';

test(`a dish with its choice is ordered with cash and followed in ${browser}`, async () => {
  test.setTimeout(240_000);
  const program = await Program.start({ kitchen: 'operated', content: 'demo', vk: false, payWithin: '10m' });
  const driver = await startBrowser();
  const page = new BrowserPage(driver);
  try {
    await page.resize(1280, 900);
    await page.goto(`${program.origin('sushi')}/robots.txt`);
    await page.evaluate("document.cookie = 'language=ru; path=/'; document.cookie = 'cookie_consent=necessary; path=/'");
    await page.goto(`${program.origin('sushi')}/moscow`);
    await test.step('the shop', async () => {
      await page.expectShown('button', startsWith(say('Add to cart: {name}, {written}')));
      await page.click('button', startsWith(say('Delivery or takeaway?')));
      await page.click('radio', say('Takeaway'));
      await page.click('button', say('Choose: {name}', { name: 'Умико на Новослободской' }));
      await page.expectTrue('see no dialog', "!document.querySelector('[role=dialog]')");
    });
    await test.step('a dish with its choice', async () => {
      await page.click('button', new RegExp(`^${dish}$`));
      await page.click('radio', /^Удон/);
      await page.click('button', new RegExp(`${startsWith(say('Add')).source}\\s*[\\d₽][^:]*$`, 'u'));
      await page.expectTrue('see no dialog', "!document.querySelector('[role=dialog]')");
      await page.click('button', startsWith(say('Check out')));
      await page.expectTrue('see the checkout', "location.pathname.endsWith('/cart')");
    });
    await test.step('when, who and how to pay', async () => {
      await page.expectTrue('see a time', "document.querySelector('main li button[aria-pressed=true]') !== null");
      await page.type('textbox', say('Your name'), 'Анна');
      await page.type('textbox', say('Phone'), '9161234567');
      await page.click('radio', /^Наличными/);
      await page.click('button', startsWith(say('Place the order')));
    });
    await page.expectTrue('follow the order', "/\\/order\\/\\d+\\/tracking$/.test(location.pathname)");
    await page.expectTrue('see what is ordered', `document.querySelector('main').textContent.includes('${dish}')`);
  } catch (error) {
    await writeFile(test.info().outputPath('screen.png'), await page.screenshot());
    throw error;
  } finally {
    await driver.stop();
    await program.stop();
  }
});

/** Starts the browser that SERVERY_BROWSER names; throws with what to install where it is missing. */
function startBrowser(): Promise<Driver> {
  if (browser === 'firefox') return startFirefox(find('firefox-esr', 'firefox'));
  expect(browser, 'SERVERY_BROWSER').toBe('webkit');
  return startWebKit(find('WebKitWebDriver'), miniBrowser());
}

/** The first of these programs that the machine has. */
function find(...names: string[]): string {
  for (const name of names) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // Not this one.
    }
  }
  throw new Error(`${names.join(' and ')} are not installed`);
}

/** The browser that comes with the driver, in the folder of the machine's architecture. */
function miniBrowser(): string {
  const folders = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => `/usr/lib/${name}/webkit2gtk-4.1`);
  const path = folders.map((folder) => `${folder}/MiniBrowser`).find(existsSync);
  if (!path) throw new Error(`MiniBrowser is in none of ${folders.join(', ')}`);
  return path;
}

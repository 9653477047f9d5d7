import { i18n, type Messages } from '@lingui/core';
import { afterAll, expect, it } from 'vitest';
import { groupOf } from './groups';
import { activateLanguage, withTexts } from './load';
import { activateLanguageNow } from './server';

const catalogue = async (screen: string): Promise<Messages> =>
  (await import(`../locales/de/${groupOf(screen)}.po`)).messages;

const isLoaded = async (screen: string) =>
  Object.keys(await catalogue(screen)).every((id) => id in i18n.messages);

afterAll(() => activateLanguageNow('en'));

it('a language comes with the texts of the first page and of the screens seen so far', async () => {
  expect(await withTexts('payment', async () => 'the page')).toBe('the page');
  await activateLanguage('de');
  expect(i18n.locale).toBe('de');
  expect(await isLoaded('home')).toBe(true);
  expect(await isLoaded('payment')).toBe(true);
  expect(await isLoaded('profile')).toBe(false);
});

it('a screen comes with its texts in the language of the page', async () => {
  await activateLanguage('de');
  await withTexts('profile', async () => undefined);
  expect(await isLoaded('profile')).toBe(true);
});

it('the texts of a screen do not render again what is shown', async () => {
  await activateLanguage('de');
  let changes = 0;
  const stop = i18n.on('change', () => {
    changes += 1;
  });
  await withTexts('tracking', async () => undefined);
  stop();
  expect(await isLoaded('tracking')).toBe(true);
  expect(changes).toBe(0);
});

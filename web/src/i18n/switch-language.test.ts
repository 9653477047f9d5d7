import { i18n } from '@lingui/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beginHydration, finishHydration } from './hydration';
import { activateLanguage } from './load';
import { activateLanguageNow } from './server';
import { switchLanguage } from './switch-language';

beforeEach(() => {
  activateLanguageNow('en');
  vi.stubGlobal('document', { documentElement: { lang: 'en' }, cookie: '' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  activateLanguageNow('en');
});

it('a page changes its language once it has hydrated', async () => {
  await activateLanguage('de');
  activateLanguageNow('en');
  beginHydration();
  const change = switchLanguage('de');
  await activateLanguage('uk');
  expect(document.documentElement.lang).toBe('en');
  finishHydration();
  await change;
  expect([document.documentElement.lang, i18n.locale]).toEqual(['de', 'de']);
});

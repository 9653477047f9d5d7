import { afterEach, expect, test } from 'vitest';
import { setCookie } from '@/lib/storage';
import { keepAskedLanguage } from './asked-language';

afterEach(() => {
  setCookie('language', '', 0);
  history.replaceState(null, '', '/');
});

test('the language of the address is kept and leaves the address', () => {
  history.replaceState({ modal: 1 }, '', '/moscow?group=rolls&lang=de#top');
  keepAskedLanguage('de');
  expect(location.pathname + location.search + location.hash).toBe('/moscow?group=rolls#top');
  expect(history.state).toEqual({ modal: 1 });
  expect(document.cookie).toContain('language=de');
});

test('a language that the brand does not have is not kept', () => {
  history.replaceState(null, '', '/moscow?lang=fr');
  keepAskedLanguage('ru');
  expect(location.search).toBe('');
  expect(document.cookie).not.toMatch(/language=./);
});

test('an address without a language keeps what was chosen', () => {
  history.replaceState(null, '', '/moscow?group=rolls');
  keepAskedLanguage('ru');
  expect(location.search).toBe('?group=rolls');
  expect(document.cookie).not.toMatch(/language=./);
});

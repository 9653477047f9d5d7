import { expect, it } from 'vitest';
import { rememberInTab } from '@/lib/storage';
import { isOwnPath, recallReturn } from './vk';

it.each([
  ['/berlin/cart?step=2', true],
  ['/', true],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['https://evil.example', false],
  ['javascript:alert(1)', false],
  [undefined, false],
])('%s is a page of this site: %s', (path, isOwn) => {
  expect(isOwnPath(path)).toBe(isOwn);
});

it('what leads elsewhere is not remembered as the way back', () => {
  rememberInTab('login.vk', { from: '//evil.example' });
  expect(recallReturn()).toBeUndefined();
  rememberInTab('login.vk', { from: '/berlin', intent: { uri: '//evil.example' } });
  expect(recallReturn()).toBeUndefined();
  rememberInTab('login.vk', { from: '/berlin', intent: { uri: '/berlin/profile' } });
  expect(recallReturn()).toEqual({ from: '/berlin', intent: { uri: '/berlin/profile' } });
});

import { expect, it } from 'vitest';
import { writeInTab } from '@/lib/storage';
import { isOwnPath, readReturn } from './vk';

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
  writeInTab('login.vk', { from: '//evil.example' });
  expect(readReturn()).toBeUndefined();
  writeInTab('login.vk', { from: '/berlin', intent: { uri: '//evil.example' } });
  expect(readReturn()).toBeUndefined();
  writeInTab('login.vk', { from: '/berlin', intent: { uri: '/berlin/profile' } });
  expect(readReturn()).toEqual({ from: '/berlin', intent: { uri: '/berlin/profile' } });
});

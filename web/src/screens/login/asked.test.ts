import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { clockText, codeIn, expiresAt, isUsedUp, resendAt } from './asked';

const shown: Schema<'Verification'> = {
  timer: 60,
  expires_in: 300,
  code_length: 4,
  tries_left: 5,
  channel: 'sms',
  channels: ['sms', 'call'],
  phone: '4930123456789',
  state: 'sent',
};
const asked = { shown, at: 1_000_000 };

describe('a code that was asked for', () => {
  it('can be asked for again when the timer of the server has run down', () => {
    expect(resendAt(asked)).toBe(1_060_000);
    expect(expiresAt(asked)).toBe(1_300_000);
  });

  it('is used up when it has expired or no attempt is left', () => {
    expect(isUsedUp(asked, 1_299_999)).toBe(false);
    expect(isUsedUp(asked, 1_300_000)).toBe(true);
    expect(isUsedUp({ ...asked, shown: { ...shown, tries_left: 0 } }, 1_000_000)).toBe(true);
  });
});

describe('a code that is typed or pasted', () => {
  it.each([
    ['1234', '1234'],
    ['12 34', '1234'],
    ['1-2-3-4', '1234'],
    ['Umi: code 1234', '1234'],
    ['Umi 24: your code is 1234. Valid for 5 minutes', '1234'],
    ['123456', '1234'],
    ['abc', ''],
  ])('is found in %s', (text, code) => {
    expect(codeIn(text, 4)).toBe(code);
  });
});

it('seconds are shown as minutes and seconds', () => {
  expect([60, 59, 9, 0, 125].map(clockText)).toEqual(['1:00', '0:59', '0:09', '0:00', '2:05']);
});

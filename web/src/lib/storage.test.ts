import { afterEach, describe, expect, it, vi } from 'vitest';
import { readStored, removeStored, writeStored } from './storage';

const isNumber = (value: unknown): value is number => typeof value === 'number';
const day = 86_400_000;

afterEach(() => localStorage.clear());

describe('storage', () => {
  it('keeps a value for 256 days and no longer', () => {
    expect(writeStored('shop', 7, 0)).toBe(true);
    expect(readStored('shop', isNumber, 256 * day)).toBe(7);
    expect(readStored('shop', isNumber, 256 * day + 1)).toBeUndefined();
    expect(localStorage.getItem('shop')).toBeNull();
  });

  it('refuses what is not of the expected shape', () => {
    writeStored('shop', 'seven');
    expect(readStored('shop', isNumber)).toBeUndefined();
    localStorage.setItem('shop', '{broken');
    expect(readStored('shop', isNumber)).toBeUndefined();
  });

  it('never throws when the browser refuses storage', () => {
    const refuse = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    expect(writeStored('shop', 7)).toBe(false);
    expect(readStored('shop', isNumber)).toBeUndefined();
    removeStored('shop');
    vi.unstubAllGlobals();
  });
});

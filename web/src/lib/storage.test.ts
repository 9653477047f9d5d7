import { afterEach, describe, expect, it, vi } from 'vitest';
import { forget, recall, remember } from './storage';

const isNumber = (value: unknown): value is number => typeof value === 'number';
const day = 86_400_000;

afterEach(() => localStorage.clear());

describe('storage', () => {
  it('keeps a value for 256 days and no longer', () => {
    expect(remember('shop', 7, 0)).toBe(true);
    expect(recall('shop', isNumber, 256 * day)).toBe(7);
    expect(recall('shop', isNumber, 256 * day + 1)).toBeUndefined();
    expect(localStorage.getItem('shop')).toBeNull();
  });

  it('refuses what is not of the expected shape', () => {
    remember('shop', 'seven');
    expect(recall('shop', isNumber)).toBeUndefined();
    localStorage.setItem('shop', '{broken');
    expect(recall('shop', isNumber)).toBeUndefined();
  });

  it('never throws when the browser refuses storage', () => {
    const refuse = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    expect(remember('shop', 7)).toBe(false);
    expect(recall('shop', isNumber)).toBeUndefined();
    forget('shop');
    vi.unstubAllGlobals();
  });
});

import { describe, expect, it } from 'vitest';
import { signInTarget } from './sign-in-target';

const path = (inside = '') => `/berlin${inside}`;

describe('after the sign-in', () => {
  it('an order goes on with its second step on phones and with the cart on desktop', () => {
    expect(signInTarget('order', { path, isDesktop: false })).toBe('/berlin/cart?step=2');
    expect(signInTarget('order', { path, isDesktop: true })).toBe('/berlin/cart');
  });

  it('the page that was asked for is shown, and else the visitor stays', () => {
    const where = { path, isDesktop: true };
    expect(signInTarget({ uri: '/berlin/profile' }, where)).toBe('/berlin/profile');
    expect(signInTarget(undefined, where)).toBeUndefined();
  });
});

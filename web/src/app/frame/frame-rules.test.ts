import { describe, expect, it } from 'vitest';
import { frameOf } from './frame-rules';

describe('the frame of a page', () => {
  it.each(['/berlin', '/berlin/', '/berlin/promotions'])('has everything on %s', (path) => {
    expect(frameOf(path, true)).toEqual({ navigation: true, cartBar: true, isSlim: false });
  });

  it.each(['/berlin/cart', '/berlin/order/12345678/tracking'])(
    'leads nowhere else on %s',
    (path) => {
      expect(frameOf(path, true)).toEqual({ navigation: false, cartBar: false, isSlim: false });
    },
  );

  it('has hardly anything where an order is paid', () => {
    const slim = { navigation: false, cartBar: false, isSlim: true };
    expect(frameOf('/berlin/order/payment/key-1', true)).toEqual(slim);
  });

  it('has no cart before a city is chosen', () => {
    expect(frameOf('/', false)).toEqual({ navigation: false, cartBar: false, isSlim: false });
  });
});

import { describe, expect, it } from 'vitest';
import { frameOf } from './frame-rules';

const bare = { navigation: false, cartBar: false, isSlim: false };

describe('the frame of a page', () => {
  it.each(['/berlin', '/berlin/', '/berlin/promotions'])('has everything on %s', (path) => {
    expect(frameOf(path, true)).toEqual({ ...bare, navigation: true, cartBar: true });
  });

  it.each(['/berlin/cart', '/berlin/order/12345678/tracking'])(
    'leads nowhere else on %s',
    (path) => {
      expect(frameOf(path, true)).toEqual(bare);
    },
  );

  it('has hardly anything where an order is paid', () => {
    expect(frameOf('/berlin/order/payment/key-1', true)).toEqual({ ...bare, isSlim: true });
  });

  it('has no cart before a city is chosen', () => {
    expect(frameOf('/', false)).toEqual(bare);
  });
});

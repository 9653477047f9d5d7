import { describe, expect, it } from 'vitest';
import { frameOf } from './frame-rules';

const bare = { navigation: false, cartBar: false, orderButton: false, isSlim: false };

describe('the frame of a page', () => {
  it.each(['/berlin', '/berlin/', '/berlin/promotions'])('has everything on %s', (path) => {
    expect(frameOf(path, true)).toEqual({ ...bare, navigation: true, cartBar: true });
  });

  it('has nothing but the button to the order at the end of the cart', () => {
    expect(frameOf('/berlin/cart', true)).toEqual({ ...bare, orderButton: true });
  });

  it('leads nowhere else on an order', () => {
    expect(frameOf('/berlin/order/12345678/tracking', true)).toEqual(bare);
  });

  it('has hardly anything where an order is paid', () => {
    expect(frameOf('/berlin/order/payment/key-1', true)).toEqual({ ...bare, isSlim: true });
  });

  it('has no cart before a city is chosen', () => {
    expect(frameOf('/', false)).toEqual(bare);
  });
});

import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { setPlace } from '@/entities/place/place';
import { makeCart, makeLine } from '@/testing/fixtures';
import { makeFoundAddress } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { CartPanel } from './cart-panel';

const address = makeFoundAddress();
const wok = makeLine({ key: 'wok', product_key: 'wok', name: 'Wok' });

const button = (name: string) => screen.getByRole('button', { name });
const removeButton = (name: string) => button(`Remove: ${name}`);

/** Focuses a button and presses it. */
function press(pressed: HTMLElement) {
  pressed.focus();
  fireEvent.click(pressed);
}

beforeEach(async () => {
  setPlace(1, { orderType: 'delivery', address });
  const cart = makeCart([makeLine(), wok], { delivery_address: address });
  server.use(
    answer('put', '/cart', () => ({ cart })),
    answer('put', '/cart/forget', () => ({ cart: makeCart([], { delivery_address: address }) })),
    answer('post', '/products/get-related-products', () => ({ products: [] })),
    answer('get', '/products', () => ({ product_groups: [], popular_products: [] })),
    answer('post', '/user/payment-types', () => ({ payment_types: [] })),
  );
  renderInCity(<CartPanel />);
  await screen.findByRole('list', { name: 'Products in the cart' });
});

describe('the focus on a line that is removed', () => {
  it('moves to the next line, then to the heading of the cart', () => {
    press(removeButton('Philadelphia'));
    expect(screen.queryByText('Philadelphia')).toBeNull();
    expect(document.activeElement).toBe(removeButton('Wok'));
    press(removeButton('Wok'));
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: /Cart/ }));
  });

  it('moves to the line before when there is no next one', () => {
    press(removeButton('Wok'));
    expect(document.activeElement).toBe(removeButton('Philadelphia'));
  });

  it('does not move from the counter to a button that takes away', () => {
    press(button('Take one away: Philadelphia'));
    expect(document.activeElement).toBe(button('About Wok'));
  });
});

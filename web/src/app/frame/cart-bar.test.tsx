import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CartTotals } from '@/entities/cart/cart-totals';
import { useChangeCart } from '@/entities/cart/queries';
import { OrderStep } from '@/screens/checkout/order-step/order-step';
import { makeCart, makeLine, makeProduct } from '@/testing/fixtures';
import { makeAddress, makePrices } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { CartBar } from './cart-bar';

const product = makeProduct();
const delivery_address = makeAddress();
const line = makeLine({ key: product.key, product_key: product.key, count: 1 });

function AddDish() {
  const { add } = useChangeCart();
  return (
    <button type="button" onClick={() => add(product.key)}>
      Add the dish
    </button>
  );
}

it('the first dish has no sum, and is no reason against the order, until the server has priced it', async () => {
  let confirm = () => {};
  const confirmed = new Promise<void>((resolve) => {
    confirm = resolve;
  });
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart([], { delivery_address }) })),
    answer('put', '/cart/add', async () => {
      await confirmed;
      return { cart: makeCart([line], { delivery_address, prices: makePrices({ total: 9 }) }) };
    }),
  );
  const { user } = renderInCity(
    <>
      <AddDish />
      <CartBar />
      <CartTotals />
      <OrderStep />
    </>,
  );
  await screen.findByText('The cart is empty.');
  await user.click(screen.getByRole('button', { name: 'Add the dish' }));
  await screen.findByRole('link', { name: 'Cart 1 item' });
  expect(screen.queryByText('The cart is empty.')).toBeNull();
  expect(screen.queryByText(/€/)).toBeNull();
  confirm();
  await screen.findByRole('link', { name: 'Cart 1 item €9' });
  expect(screen.getAllByText('€9').length).toBeGreaterThan(1);
});

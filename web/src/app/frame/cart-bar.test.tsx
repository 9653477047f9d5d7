import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { CartTotals } from '@/entities/cart/cart-totals';
import { useChangeCart } from '@/entities/cart/queries';
import { clearPlaces, setPlace } from '@/entities/place/place';
import { OrderStep } from '@/screens/checkout/order-step/order-step';
import { makeCart, makeCity, makeLine, makePageData, makeProduct } from '@/testing/fixtures';
import { makeAddress, makePrices, makeTimes } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { CartBar } from './cart-bar';

const product = makeProduct();
const delivery_address = makeAddress();
const line = makeLine({ key: product.key, product_key: product.key, count: 1 });

beforeEach(clearPlaces);

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
    answer('post', '/schedule/intervals', () => makeTimes()),
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
  await screen.findByRole('link', { name: 'Cart 1 item Delivery' });
  expect(screen.queryByText('The cart is empty.')).toBeNull();
  expect(screen.queryByText(/€/)).toBeNull();
  confirm();
  await screen.findByRole('link', { name: 'Cart 1 item 20–30 min Delivery €9' });
  expect(screen.getAllByText('€9').length).toBeGreaterThan(1);
});

describe('the bar of the cart', () => {
  const prices = makePrices({ total: 28, delivery: 3 });
  const openBar = (city = makeCity()) => {
    setPlace(1, { orderType: 'delivery', address: delivery_address });
    const cart = makeCart([line], { delivery_address, prices });
    server.use(
      answer('put', '/cart', () => ({ cart })),
      answer('post', '/schedule/intervals', () => makeTimes()),
    );
    renderInCity(<CartBar />, { data: makePageData({ city }) });
  };

  it('says what delivery costs and when the order comes', async () => {
    openBar();
    await screen.findByRole('link', { name: 'Cart 1 item 20–30 min Delivery €3 €28' });
  });

  it('promises nothing while the city takes no orders', async () => {
    openBar(makeCity({ type: 'stop' }));
    await screen.findByRole('link', { name: 'Cart 1 item €28' });
  });

  it('promises nothing without a place', async () => {
    server.use(answer('put', '/cart', () => ({ cart: makeCart([line], { prices }) })));
    renderInCity(<CartBar />);
    await screen.findByRole('link', { name: 'Cart 1 item €28' });
  });
});

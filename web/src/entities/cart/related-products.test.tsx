import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { setPlace } from '@/entities/place/place';
import { makeCart, makeLine, makeProduct } from '@/testing/fixtures';
import { makeAddress } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { RelatedProducts } from './related-products';

it.each([
  ['list', 5],
  ['slider', 3],
] as const)(
  'as a %s the products that go well with the cart load with %i shapes',
  async (layout, shapes) => {
    const delivery_address = makeAddress();
    setPlace(1, { orderType: 'delivery', address: delivery_address });
    let finish = () => {};
    const loaded = new Promise<void>((resolve) => {
      finish = resolve;
    });
    server.use(
      answer('put', '/cart', () => ({ cart: makeCart([makeLine()], { delivery_address }) })),
      answer('post', '/products/get-related-products', async () => {
        await loaded;
        return { products: [makeProduct({ key: 'wasabi', name: 'Wasabi' })] };
      }),
    );
    const { container } = renderInCity(<RelatedProducts layout={layout} />);
    await screen.findByRole('heading', { name: 'Goes well with it' });
    expect(container.querySelector('[aria-busy="true"]')).toBeTruthy();
    expect(container.querySelectorAll('.size-16')).toHaveLength(shapes);
    finish();
    await screen.findByText('Wasabi');
    expect(container.querySelector('[aria-busy="true"]')).toBeNull();
  },
);

it('the counter of a product that goes well with the cart changes its line with modifiers', async () => {
  const delivery_address = makeAddress();
  setPlace(1, { orderType: 'delivery', address: delivery_address });
  const modifiers = [{ id: 3, name: 'Garlic dip', count: 1, price: 0 }];
  const line = makeLine({ key: 'wings~ab', product_key: 'wings', name: 'Wings', modifiers });
  const cart = makeCart([line], { delivery_address });
  const sent: unknown[] = [];
  server.use(
    answer('put', '/cart', () => ({ cart })),
    answer('post', '/products/get-related-products', () => ({
      products: [makeProduct({ key: 'wings', name: 'Wings' })],
    })),
    answer('put', '/cart/remove', async ({ request }) => {
      sent.push(await request.json());
      return { cart: makeCart([], { delivery_address }) };
    }),
  );
  renderInCity(<RelatedProducts layout="list" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Take one away: Wings' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ product_key: 'wings~ab', count: 1 });
});

it('the focus moves to the first of the products that "Show more" adds', async () => {
  const delivery_address = makeAddress();
  setPlace(1, { orderType: 'delivery', address: delivery_address });
  const products = [1, 2, 3, 4, 5, 6, 7].map((place) =>
    makeProduct({ key: `sauce-${place}`, name: `Sauce ${place}` }),
  );
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart([makeLine()], { delivery_address }) })),
    answer('post', '/products/get-related-products', () => ({ products })),
  );
  renderInCity(<RelatedProducts layout="list" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'About Sauce 6' }));
});

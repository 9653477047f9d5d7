import { screen } from '@testing-library/react';
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

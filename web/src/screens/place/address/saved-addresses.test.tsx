import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { makeCart } from '@/testing/fixtures';
import { makeAddress } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
// Loaded before the clock of the first test starts.
import './confirm-delete-address';
import './confirm-select-address';
import { SavedAddresses } from './saved-addresses';

const home = makeAddress({ id: 7, address: 'Torstraße 12', room: '5' });
const kazan = { ...home.city, id: 2, alias: 'kazan', name: 'Kazan' };
const away = makeAddress({ id: 8, address: 'Bauman 3', city: kazan });

beforeEach(() => {
  const choice = (delivery_address: typeof home) => ({
    delivery_addresses: [home, away],
    delivery_address,
    cart: makeCart([], { city_id: delivery_address.city.id, delivery_address }),
    product_groups: [],
    popular_products: [],
  });
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart() })),
    answer('get', '/user/addresses', () => ({ delivery_addresses: [home, away] })),
    answer('post', '/user/addresses/set-by-id', async ({ request }) => {
      const { delivery_address_id: id } = (await request.json()) as { delivery_address_id: number };
      return choice(id === 8 ? away : home);
    }),
    answer('delete', '/user/addresses/remove/{id}', () => ({ delivery_addresses: [away] })),
  );
});

describe('saved addresses', () => {
  it('are chosen with one press', async () => {
    const chosen = vi.fn();
    const { user } = renderInCity(<SavedAddresses onChosen={chosen} />);
    await user.click(await screen.findByRole('button', { name: 'Torstraße 12, apt. 5' }));
    await waitFor(() => expect(chosen).toHaveBeenCalled());
  });

  it('wait for the answer of the one that was pressed before', async () => {
    const asked: number[] = [];
    let answerNow = () => {};
    const held = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    const work = makeAddress({ id: 9, address: 'Bergstraße 1' });
    server.use(
      answer('get', '/user/addresses', () => ({ delivery_addresses: [home, work] })),
      http.post('*/api/user/addresses/set-by-id', async ({ request }) => {
        asked.push(((await request.json()) as { delivery_address_id: number }).delivery_address_id);
        await held;
        return HttpResponse.json({ message: 'Busy' }, { status: 422 });
      }),
    );
    const { user } = renderInCity(<SavedAddresses onChosen={() => undefined} />);
    const first = await screen.findByRole('button', { name: 'Torstraße 12, apt. 5' });
    const second = screen.getByRole('button', { name: /^Bergstraße 1/ });
    await user.click(first);
    await waitFor(() => expect(second).toHaveProperty('disabled', true));
    await user.click(second);
    await user.click(first);
    answerNow();
    await waitFor(() => expect(second).toHaveProperty('disabled', false));
    expect(asked).toEqual([7]);
    await user.click(second);
    await waitFor(() => expect(asked).toEqual([7, 9]));
  });

  it('of another city open that city after a question', async () => {
    const { user, places } = renderInCity(<SavedAddresses onChosen={() => undefined} />);
    await user.click(await screen.findByRole('button', { name: /Bauman 3/, pressed: false }));
    await screen.findByText(/It is in Kazan/);
    await user.click(screen.getByRole('button', { name: 'Deliver there' }));
    await waitFor(() => expect(places).toContain('/kazan'));
  });

  it('are forgotten after a question', async () => {
    const { user } = renderInCity(<SavedAddresses onChosen={() => undefined} />);
    await user.click(
      await screen.findByRole('button', { name: 'Delete the address Torstraße 12, apt. 5' }),
    );
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByText(/Torstraße 12/)).toBeNull());
    expect(screen.getByText('Bauman 3')).toBeDefined();
  });
});

import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { Route } from 'wouter';
import type { Schema } from '@/api/types';
import { makeCart, makeCity, makePageData } from '@/testing/fixtures';
import { makeAddress } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { modals } from '@/ui/modals/modal-store';
// Loaded before the clock of the first test starts.
import '@/screens/place/address/confirm-delete-address';
import '@/screens/place/address/confirm-select-address';
import { AddressesTab } from './addresses-tab';

const berlin = makeCity();
const kazan = makeCity({ id: 2, alias: 'kazan', name: 'Kazan', seo_name: 'in Kazan' });
const home = makeAddress({ id: 7, address: 'Torstraße 12', room: '5' });
const away = makeAddress({ id: 8, address: 'Bauman 3', city: { ...home.city, ...kazan } });
const closed = makeAddress({
  id: 9,
  address: 'Elm 1',
  city: { ...home.city, id: 3, alias: 'x', name: 'Omsk' },
});

/** The ids of the addresses that the page has selected on the server. */
let chosen: number[];

function openAddresses(addresses: Schema<'DeliveryAddress'>[] = [home, away], query = '') {
  server.use(answer('get', '/user/addresses', () => ({ delivery_addresses: addresses })));
  const cities = { list: [berlin, kazan], big_cities: [] };
  const path = `/berlin/profile?tab=addresses${query}`;
  return renderInCity(
    <Route path="/berlin/profile">
      <AddressesTab />
    </Route>,
    { data: makePageData({ city: berlin, cities, path }) },
  );
}

beforeEach(() => {
  chosen = [];
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart() })),
    answer('post', '/user/addresses/set-by-id', async ({ request }) => {
      const { delivery_address_id: id } = (await request.json()) as { delivery_address_id: number };
      chosen.push(id);
      return {
        delivery_addresses: [home, away],
        delivery_address: home,
        cart: makeCart([], { delivery_address: home }),
        product_groups: [],
        popular_products: [],
      };
    }),
  );
});

describe('the addresses', () => {
  it('of the page’s city are chosen with one press', async () => {
    const { user } = openAddresses();
    await user.click(await screen.findByRole('button', { name: 'Torstraße 12, apt. 5' }));
    await screen.findByText('We will bring your order to Torstraße 12');
    await screen.findByRole('button', { name: 'Torstraße 12, apt. 5', pressed: true });
    expect(chosen).toEqual([7]);
  });

  it('of another city open its profile after a question, and are chosen there', async () => {
    const { user, places } = openAddresses();
    await user.click(await screen.findByRole('button', { name: /Bauman 3/, pressed: false }));
    await screen.findByText(/It is in Kazan/);
    await user.click(screen.getByRole('button', { name: 'Deliver there' }));
    await waitFor(() =>
      expect(places.at(-1)).toBe('/kazan/profile?tab=addresses&delivery_address_id=8'),
    );
    expect(chosen).toEqual([]);
  });

  it('that the link names is chosen once, and leaves the address of the page', async () => {
    const { places } = openAddresses([home, away], '&delivery_address_id=7');
    await screen.findByRole('button', { name: 'Torstraße 12, apt. 5', pressed: true });
    expect(places.at(-1)).toBe('/berlin/profile?tab=addresses');
    expect(chosen).toEqual([7]);
  });

  it('that the link names and that no longer exist are reported', async () => {
    openAddresses([home], '&delivery_address_id=99');
    await screen.findByText('This address is no longer saved');
    expect(chosen).toEqual([]);
  });

  it('in a city that is not served any more are reported and not chosen', async () => {
    const { user } = openAddresses([closed]);
    await user.click(await screen.findByRole('button', { name: /Elm 1/, pressed: false }));
    await screen.findByText('Sorry, we no longer deliver to this address');
    expect(chosen).toEqual([]);
  });

  it('say why they were refused', async () => {
    server.use(
      refuse('post', '/user/addresses/set-by-id', 422, { message: 'Out of our zones now' }),
    );
    const { user } = openAddresses();
    await user.click(await screen.findByRole('button', { name: 'Torstraße 12, apt. 5' }));
    await screen.findByText('Out of our zones now');
  });

  it('are deleted after a question', async () => {
    server.use(
      answer('delete', '/user/addresses/remove/{id}', () => ({ delivery_addresses: [away] })),
    );
    const { user } = openAddresses();
    await user.click(
      await screen.findByRole('button', { name: 'Delete the address Torstraße 12, apt. 5' }),
    );
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByText(/Torstraße 12/)).toBeNull());
  });

  it('are deleted although the answer was lost, and the server knows them no more', async () => {
    const { user } = openAddresses();
    const remove = await screen.findByRole('button', {
      name: 'Delete the address Torstraße 12, apt. 5',
    });
    let calls = 0;
    server.use(
      answer('get', '/user/addresses', () => ({ delivery_addresses: [away] })),
      http.delete('*/api/user/addresses/remove/7', () => {
        calls += 1;
        return calls === 1
          ? HttpResponse.error()
          : HttpResponse.json({ message: 'There is no such address' }, { status: 404 });
      }),
    );
    await user.click(remove);
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByText(/Torstraße 12/)).toBeNull(), { timeout: 3000 });
    expect(screen.queryByText('There is no such address')).toBeNull();
  });

  it('lead to the map when there are none', async () => {
    const { user } = openAddresses([]);
    await screen.findByText('No addresses yet');
    await user.click(screen.getByRole('button', { name: 'Add an address' }));
    expect(modals.get().defaults).toMatchObject([
      { name: 'order-types', params: { orderType: 'delivery' } },
    ]);
  });
});

import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { setPlace } from '@/entities/place/place';
import {
  makeCart,
  makeCity,
  makeGroup,
  makeLine,
  makePageData,
  makeSite,
} from '@/testing/fixtures';
import { makeFoundAddress, makeShop } from '@/testing/places';
import { answer, refuse, server } from '@/testing/server';
import type { MapViewProps } from '@/ui/map/map-things';
import { closeAllModals, openModal } from '@/ui/modals/modal-store';
import { closed, field, menu, openDialog, serveDialog, shop } from './order-types-dialog.fixture';
import './shops/confirm-shop';
import './shops/confirm-takeaway';
import './shops/nearest-shop';

// The map draws by measuring the page, which a test has none of; everything on it has a way in words.
vi.mock('@/ui/map/map-view', () => ({
  MapView: ({ label, zoom }: MapViewProps) => <p>{`${label}: zoom ${zoom}`}</p>,
}));

beforeEach(serveDialog);

describe('the address', () => {
  it('is filled in by the browser with street and house, the one line of an address that it asks for', async () => {
    openDialog();
    expect((await field()).getAttribute('autocomplete')).toBe('address-line1');
  });

  it('is suggested from two characters and looked up from three', async () => {
    const suggested: string[] = [];
    const lookedUp: string[] = [];
    server.use(
      answer('post', '/geocoder/suggest', async ({ request }) => {
        suggested.push(((await request.json()) as { text: string }).text);
        return { suggestions: [] };
      }),
      answer('post', '/geocoder/searchByAddress', async ({ request }) => {
        lookedUp.push(((await request.json()) as { address: string }).address);
        return { result: 'unknown' as const };
      }),
    );
    const { user } = openDialog();
    const check = () => screen.getByRole('button', { name: 'Check the address' });
    await user.type(await field(), 'T');
    // Longer than the pause in typing after which addresses are suggested.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(suggested).toEqual([]);
    await user.type(await field(), 'o{Enter}');
    await waitFor(() => expect(suggested).toEqual(['To']));
    expect(check()).toHaveProperty('disabled', true);
    expect(lookedUp).toEqual([]);
    await user.type(await field(), 'r');
    expect(check()).toHaveProperty('disabled', false);
    await user.type(await field(), '{Enter}');
    await waitFor(() => expect(lookedUp).toEqual(['Tor']));
  });

  it('is shown close on the map: at zoom 14 without tiles, at 15 with them', async () => {
    server.use(
      answer('post', '/geocoder/searchByAddress', () => ({
        result: 'available' as const,
        delivery_address: makeFoundAddress(),
      })),
    );
    const lookUp = async (site: Schema<'Site'>) => {
      const { user, unmount } = openDialog(makePageData({ site }));
      await screen.findByText('Map of delivery zones: zoom 12');
      await user.type(await field(), 'Torstraße 10{Enter}');
      const shown = await screen.findByText(/^Map of delivery zones: zoom 1[345]$/);
      const words = shown.textContent;
      unmount();
      closeAllModals();
      localStorage.clear();
      return words;
    };
    expect(await lookUp(makeSite())).toBe('Map of delivery zones: zoom 14');
    const tiles = { map_tiles: 'https://tiles.example/{z}/{x}/{y}.png' };
    expect(await lookUp(makeSite(tiles))).toBe('Map of delivery zones: zoom 15');
  });
});

describe('a dish that waits for the place', () => {
  it.each([
    [true, true, 'Choose delivery or takeaway first, and we will add the dish to your cart.'],
    [true, false, 'Tell us the address first, and we will add the dish to your cart.'],
    [false, true, 'Choose where you will pick it up first, and we will add the dish to your cart.'],
  ])('is named where delivery is %s and takeaway %s', async (delivery, takeaway, said) => {
    const city = makeCity({ order_types: { delivery, takeaway } });
    openDialog(makePageData({ city, shops: [shop] }), { hasDish: true });
    await screen.findByText(said);
  });
});

describe('takeaway', () => {
  it('puts the shop and its cart where every screen looks', async () => {
    const { user, client } = openDialog();
    await user.click(await screen.findByRole('radio', { name: 'Takeaway' }));
    await user.click(await screen.findByRole('button', { name: 'Choose: Mitte' }));
    await screen.findByText('place: takeaway Mitte');
    expect(client.getQueryData(keys.cart(1))).toMatchObject({ order_type: 'takeaway' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('stays at a shop that has stopped selling takeaway until another is chosen', async () => {
    const kitchen = makeShop({
      id: 5,
      name: 'Kitchen',
      order_types: { delivery: true, takeaway: false },
    });
    server.use(answer('put', '/cart', () => ({ cart: makeCart([], { order_type: 'takeaway' }) })));
    setPlace(1, { orderType: 'takeaway', shop: kitchen });
    const { user } = openDialog(makePageData({ shops: [kitchen, shop] }));
    const choose = await screen.findByRole('button', { name: 'Choose: Mitte' });
    expect(screen.queryByRole('button', { name: 'Chosen: Kitchen' })).toBeNull();
    screen.getByText('place: takeaway Kitchen');
    await user.click(choose);
    await screen.findByText('place: takeaway Mitte');
  });

  it('has the menu that came with the chosen shop', async () => {
    const sold = { product_groups: [makeGroup({ name: 'Soups' })], popular_products: ['miso'] };
    server.use(
      answer('post', '/shops/set', () => ({
        shop,
        cart: makeCart([], { order_type: 'takeaway', shop }),
        ...sold,
      })),
    );
    const { user, client } = openDialog();
    await user.click(await screen.findByRole('radio', { name: 'Takeaway' }));
    await user.click(await screen.findByRole('button', { name: 'Choose: Mitte' }));
    await screen.findByText('place: takeaway Mitte');
    const at = { city_id: 1, order_type: 'takeaway', shop_id: 3 } as const;
    expect(client.getQueryData(keys.menu(at))).toEqual(sold);
  });

  it('is chosen by one press also when its answer is lost on the way', async () => {
    const lose = vi.fn(() => HttpResponse.error());
    server.use(http.post('*/api/shops/set', lose, { once: true }));
    const { user } = openDialog();
    await user.click(await screen.findByRole('radio', { name: 'Takeaway' }));
    await user.click(await screen.findByRole('button', { name: 'Choose: Mitte' }));
    await screen.findByText('place: takeaway Mitte', {}, { timeout: 3000 });
    expect(lose).toHaveBeenCalledOnce();
  });

  it('asks before a closed shop is chosen', async () => {
    const { user } = openDialog();
    await user.click(await screen.findByRole('radio', { name: 'Takeaway' }));
    await user.click(await screen.findByRole('button', { name: 'Choose: Wedding' }));
    await screen.findByRole('button', { name: 'Choose the shop' });
    expect(screen.getByText('place: delivery nowhere')).toBeDefined();
  });

  it('names what the new shop does not sell before the order moves there', async () => {
    const { user, client } = openDialog();
    client.setQueryData(keys.cart(1), makeCart([makeLine()]));
    server.use(answer('get', '/products', () => menu));
    await user.click(await screen.findByRole('radio', { name: 'Takeaway' }));
    await user.click(await screen.findByRole('button', { name: 'Choose: Mitte' }));
    await screen.findByText('These dishes are not sold there and will wait in the cart:');
    await user.click(screen.getByRole('button', { name: 'Pick it up' }));
    await screen.findByText('place: takeaway Mitte');
  });

  it('has no switch where the city has one order type only', async () => {
    const city = makeCity({ order_types: { delivery: false, takeaway: true } });
    openDialog(makePageData({ city, shops: [shop] }));
    await screen.findByRole('button', { name: 'Choose: Mitte' });
    expect(screen.queryByRole('radio')).toBeNull();
  });
});

describe('delivery', () => {
  it('chooses an address after its price is shown and the apartment is given', async () => {
    const address = makeFoundAddress();
    const sent = vi.fn();
    server.use(
      answer('post', '/geocoder/searchByAddress', () => ({
        result: 'available' as const,
        delivery_address: address,
      })),
      answer('post', '/user/addresses/set-by-address', async ({ request }) => {
        sent(await request.json());
        const cart = makeCart([], { delivery_address: { ...address, id: 5 } });
        return {
          delivery_addresses: [],
          delivery_address: { ...address, id: 5 },
          cart,
          ...menu,
        };
      }),
    );
    const { user } = openDialog();
    await user.type(await field(), 'Torstraße 10{Enter}');
    await screen.findByText('delivery €2.50 · free from €20 · about 45 min');
    await user.click(screen.getByRole('button', { name: 'Deliver here' }));
    await screen.findByText(/Enter the apartment/);
    await user.type(screen.getByRole('textbox', { name: /Apartment/ }), '12');
    await user.click(screen.getByRole('button', { name: 'Deliver here' }));
    await screen.findByText('place: delivery Torstraße 12');
    expect(sent).toHaveBeenCalledWith(
      expect.objectContaining({ city_id: 1, address: 'Torstraße 10', room: '12' }),
    );
  });

  it('takes the place of takeaway once an address is chosen', async () => {
    setPlace(1, { orderType: 'takeaway', shop });
    const address = makeFoundAddress();
    server.use(
      answer('post', '/geocoder/searchByAddress', () => ({
        result: 'available' as const,
        delivery_address: address,
      })),
      answer('post', '/user/addresses/set-by-address', () => ({
        delivery_addresses: [],
        delivery_address: { ...address, id: 5 },
        cart: makeCart([], { delivery_address: { ...address, id: 5 } }),
        ...menu,
      })),
    );
    const { user } = openDialog();
    await user.click(await screen.findByRole('radio', { name: 'Delivery' }));
    await user.type(await field(), 'Torstraße 10{Enter}');
    await user.type(await screen.findByRole('textbox', { name: /Apartment/ }), '12');
    screen.getByText('place: takeaway Mitte');
    await user.click(screen.getByRole('button', { name: 'Deliver here' }));
    await screen.findByText('place: delivery Torstraße 12');
  });

  it('promises no minutes while its kitchen is closed', async () => {
    const zone = {
      id: 9,
      name: 'Wedding',
      shop_id: closed.id,
      delivery_time: 25,
      prices: { delivery: 2.5, minimum_order_amount: 20, has_free_delivery: true },
      map: { area: [], background_color: '#006400' },
    };
    server.use(
      answer('post', '/geocoder/searchByAddress', () => ({
        result: 'available' as const,
        delivery_address: makeFoundAddress({ delivery_zone_id: 9 }),
      })),
    );
    const city = makeCity({ delivery_zones: [zone] });
    const { user } = openDialog(makePageData({ city, shops: [shop, closed] }));
    await user.type(await field(), 'Torstraße 10{Enter}');
    await screen.findByText('delivery €2.50 · free from €20');
  });

  it('leads back to the field when the house is missing', async () => {
    server.use(
      answer('post', '/geocoder/searchByAddress', () => ({
        result: 'available' as const,
        delivery_address: makeFoundAddress({ type: 'street' }),
      })),
    );
    const { user } = openDialog();
    await user.type(await field(), 'Torstraße');
    await user.click(screen.getByRole('button', { name: 'Check the address' }));
    await screen.findByText('Add the house number.');
    expect(document.activeElement).toBe(await field());
  });

  it('says why it asks until there is an answer', async () => {
    server.use(
      answer('post', '/geocoder/searchByAddress', () => ({
        result: 'available' as const,
        delivery_address: makeFoundAddress(),
      })),
    );
    const { user } = openDialog(makePageData(), { message: 'Enter the address' });
    await screen.findByText('Enter the address');
    await user.type(await field(), 'Torstraße 10{Enter}');
    await screen.findByText('We deliver here');
    expect(screen.queryByText('Enter the address')).toBeNull();
  });

  it('names every part of the open suggestions in the language of the page', async () => {
    const suggestion = {
      address: 'Torstraße 1',
      title: 'Torstraße 1',
      subtitle: '',
      has_house: true,
    };
    server.use(answer('post', '/geocoder/suggest', () => ({ suggestions: [suggestion] })));
    const { user } = openDialog();
    await user.type(await field(), 'Torstr');
    await screen.findByRole('option', { name: 'Torstraße 1' });
    expect(document.querySelector('[aria-label="Dismiss"]')).toBeNull();
    expect(document.querySelectorAll('[aria-label="Close the suggestions"]')).not.toHaveLength(0);
  });

  it('asks for the house of a street', async () => {
    server.use(
      answer('post', '/geocoder/searchByAddress', () => ({
        result: 'available' as const,
        delivery_address: makeFoundAddress({ type: 'street', house: undefined }),
        message: 'Please add the house number',
      })),
    );
    const { user } = openDialog();
    await user.type(await field(), 'Torstraße{Enter}');
    await screen.findByText('Please add the house number');
    expect(screen.queryByRole('button', { name: 'Deliver here' })).toBeNull();
  });

  it('says that an address is unknown and keeps what was typed', async () => {
    server.use(answer('post', '/geocoder/searchByAddress', () => ({ result: 'unknown' as const })));
    const { user } = openDialog();
    await user.type(await field(), 'Nowhere 1{Enter}');
    await screen.findByText(/We do not know this address/);
    expect((await field()).getAttribute('value')).toBe('Nowhere 1');
  });

  it('keeps a half-filled address when the dialog closes', async () => {
    const { user } = openDialog();
    await user.type(await field(), 'Torstr');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    openModal('order-types', {});
    expect((await field()).getAttribute('value')).toBe('Torstr');
  });

  it('shows what the server refuses at its field', async () => {
    server.use(
      answer('post', '/geocoder/searchByAddress', () => ({
        result: 'available' as const,
        delivery_address: makeFoundAddress(),
      })),
      refuse('post', '/user/addresses/set-by-address', 422, {
        message: 'Check the details',
        errors: { address: ['The address is too long'] },
      }),
    );
    const { user } = openDialog();
    await user.type(await field(), 'Torstraße 10{Enter}');
    await user.type(await screen.findByRole('textbox', { name: /Apartment/ }), '12');
    await user.click(screen.getByRole('button', { name: 'Deliver here' }));
    await screen.findByText('The address is too long');
  });

  it('is that of where the visitor is now, also after an earlier press', async () => {
    const positions = [52.5, 52.6].map((latitude) => ({ latitude, longitude: 13.4 }));
    const left = [...positions];
    const getCurrentPosition = (onFound: PositionCallback) =>
      onFound({ coords: left.shift() } as GeolocationPosition);
    const value = { getCurrentPosition };
    Object.defineProperty(navigator, 'geolocation', { configurable: true, value });
    const looked: unknown[] = [];
    server.use(
      answer('post', '/geocoder/searchByCoordinates', async ({ request }) => {
        looked.push(((await request.json()) as { coordinates: unknown }).coordinates);
        return { result: 'unknown' as const };
      }),
    );
    const { user } = openDialog();
    const pressButton = async () =>
      user.click(await screen.findByRole('button', { name: 'Use my location' }));
    await pressButton();
    await waitFor(() => expect(looked).toHaveLength(1));
    await pressButton();
    await waitFor(() => expect(looked).toEqual(positions));
    Reflect.deleteProperty(navigator, 'geolocation');
  });

  it('is the one typed since when the position of the visitor comes late', async () => {
    const getCurrentPosition = vi.fn<(onFound: PositionCallback) => void>();
    const value = { getCurrentPosition };
    Object.defineProperty(navigator, 'geolocation', { configurable: true, value });
    const looked = vi.fn();
    server.use(
      answer('post', '/geocoder/searchByCoordinates', async ({ request }) => {
        looked(await request.json());
        return { result: 'unknown' as const };
      }),
    );
    const { user } = openDialog();
    await user.click(await screen.findByRole('button', { name: 'Use my location' }));
    await user.type(await field(), 'Torstr');
    const coords = { latitude: 52.5, longitude: 13.4 } as GeolocationCoordinates;
    await act(async () => getCurrentPosition.mock.lastCall?.[0]({ coords } as GeolocationPosition));
    expect((await field()).getAttribute('value')).toBe('Torstr');
    expect(looked).not.toHaveBeenCalled();
    Reflect.deleteProperty(navigator, 'geolocation');
  });
});

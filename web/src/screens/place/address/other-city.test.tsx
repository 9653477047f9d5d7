import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/api/keys';
import { makeCart, makeLine } from '@/testing/fixtures';
import { makeFoundAddress } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { modals, openModal } from '@/ui/modals/modal-store';
// Loads the dialogs' chunks before the clock of the first test starts.
import '../order-types-dialog';
import './confirm-other-city';

// The map draws by measuring the page, which a test has none of.
vi.mock('@/ui/map/map-view', () => ({ MapView: () => null }));

const samara = { id: 4, alias: 'samara', name: 'Samara', where: 'in Samara' };

function openDialog() {
  const shown = renderInCity(null);
  openModal('order-types', {});
  return shown;
}

const draftOf = (cityId: number): unknown =>
  JSON.parse(sessionStorage.getItem(`address-draft.${cityId}`) ?? 'null');

const field = () => screen.findByLabelText('Street and house');
const orderThere = () => screen.findByRole('button', { name: 'Order in Samara' });

beforeEach(() => {
  sessionStorage.clear();
  server.use(
    answer('get', '/user/addresses', () => ({ delivery_addresses: [] })),
    answer('post', '/geocoder/suggest', () => ({ suggestions: [] })),
    answer('post', '/geocoder/searchByAddress', () => ({
      result: 'unknown' as const,
      message: 'This address is in Samara',
      other_city: { ...samara, address: 'Leninskaya 5' },
    })),
  );
});

describe('an address of another city', () => {
  it('is said and opens that city with what was left of the text', async () => {
    const { user, places } = openDialog();
    await user.type(await field(), 'Samara, Leninskaya 5{Enter}');
    await user.click(await orderThere());
    expect(places.at(-1)).toBe('/samara');
    expect(draftOf(1)).toBeNull();
    expect(draftOf(4)).toMatchObject({
      text: 'Leninskaya 5',
      target: { kind: 'text', address: 'Leninskaya 5' },
    });
    const params = { orderType: 'delivery' };
    expect(modals.get().defaults.at(-1)).toMatchObject({ name: 'order-types', params });
  });

  it('is offered while it is typed', async () => {
    server.use(
      answer('post', '/geocoder/suggest', () => ({
        suggestions: [],
        other_city: { ...samara, address: 'Len' },
      })),
    );
    const { user } = openDialog();
    await user.type(await field(), 'Samara, Len');
    await screen.findByText('This address is in Samara. Order there?');
    await user.click(await orderThere());
    expect(draftOf(4)).toMatchObject({ text: 'Len' });
  });

  it('asks first when the cart would be left behind', async () => {
    const { user, client, places } = openDialog();
    client.setQueryData(keys.cart(1), makeCart([makeLine()]));
    await user.type(await field(), 'Samara, Leninskaya 5{Enter}');
    await user.click(await orderThere());
    const stay = await screen.findByRole('button', { name: 'Stay here' });
    expect(screen.getByText(/The dishes in your cart stay in /)).toBeDefined();
    await user.click(stay);
    expect(places).not.toContain('/samara');
    expect((await field()).getAttribute('value')).toBe('Samara, Leninskaya 5');
    await user.click(await orderThere());
    await user.click(await screen.findByRole('button', { name: 'Order there' }));
    expect(places.at(-1)).toBe('/samara');
  });

  it('takes the point of the visitor along', async () => {
    const here = { latitude: 53.2, longitude: 50.1 };
    const getCurrentPosition = (found: PositionCallback) =>
      found({ coords: here } as GeolocationPosition);
    vi.stubGlobal('navigator', { ...navigator, geolocation: { getCurrentPosition } });
    server.use(
      answer('post', '/geocoder/searchByCoordinates', () => ({
        result: 'not_available' as const,
        delivery_address: makeFoundAddress({ type: 'point', delivery_possible: false }),
        other_city: samara,
      })),
    );
    const { user } = openDialog();
    await user.click(await screen.findByRole('button', { name: 'Use my location' }));
    await user.click(await orderThere());
    expect(draftOf(4)).toMatchObject({ text: '', target: { kind: 'point', coordinates: here } });
    vi.unstubAllGlobals();
  });
});

describe('an address of which only the town is known', () => {
  it('asks for street and house', async () => {
    const message = 'We only recognise the town. Please add the street and house number';
    server.use(
      answer('post', '/geocoder/searchByAddress', () => ({
        result: 'unknown' as const,
        delivery_address: makeFoundAddress({ type: 'locality', delivery_possible: false }),
        message,
      })),
    );
    const { user } = openDialog();
    await user.type(await field(), 'Berlin{Enter}');
    await screen.findByText(message);
    expect(screen.queryByRole('button', { name: 'Deliver here' })).toBeNull();
  });
});

import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { detailsOf } from '@/entities/address-form/details';
import { makeCart, makeCity, makePageData } from '@/testing/fixtures';
import { makeAddress } from '@/testing/orders';
import { makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { clearPlaces, followCart, isPlaceChosen, setPlace, toQuery, usePlace } from './place';

function Place() {
  const place = usePlace();
  return <p>{JSON.stringify({ ...toQuery(place), chosen: isPlaceChosen(place) })}</p>;
}

const shown = () => JSON.parse(screen.getByText(/city_id/).textContent ?? '');
const shop = makeShop({ id: 3 });
const address = makeAddress({ delivery_zone_id: 101 });

describe('the place of the order', () => {
  it('is the first order type of the city until something is chosen', () => {
    const city = makeCity({ order_types: { delivery: false, takeaway: true } });
    renderInCity(<Place />, { data: makePageData({ city }) });
    expect(shown()).toEqual({ city_id: 1, order_type: 'takeaway', chosen: false });
  });

  it('has a shop for takeaway and a zone for delivery, never both', () => {
    renderInCity(<Place />);
    act(() => setPlace(1, { orderType: 'takeaway', shop }));
    expect(shown()).toMatchObject({ order_type: 'takeaway', shop_id: 3, chosen: true });
    act(() => setPlace(1, { orderType: 'delivery', address }));
    expect(shown()).toMatchObject({ delivery_zone_id: 101, chosen: true });
    expect(shown()).not.toHaveProperty('shop_id');
  });

  it('is not chosen by an address in no zone', () => {
    renderInCity(<Place />);
    const outside = makeAddress({ delivery_possible: false, delivery_zone_id: undefined });
    act(() => followCart(makeCart([], { delivery_address: outside })));
    expect(shown()).toEqual({ city_id: 1, order_type: 'delivery', chosen: false });
  });

  it('remembers the shop when the visitor comes back to takeaway', () => {
    renderInCity(<Place />);
    act(() => setPlace(1, { orderType: 'takeaway', shop }));
    act(() => setPlace(1, { orderType: 'delivery', address }));
    act(() => setPlace(1, { orderType: 'takeaway' }));
    expect(shown()).toMatchObject({ shop_id: 3 });
  });

  it('survives a reload', () => {
    setPlace(1, { orderType: 'takeaway', shop });
    clearPlaces();
    renderInCity(<Place />);
    expect(shown()).toMatchObject({ order_type: 'takeaway', shop_id: 3 });
  });

  it('leaves nothing of the door on the device', () => {
    const door = { ...detailsOf({ bell_name: 'Müller', room: '12', description: 'ring' }) };
    setPlace(1, { orderType: 'delivery', address: { ...address, ...door } });
    const kept = JSON.parse(localStorage.getItem('place.1') ?? '').value.address;
    expect(kept).toMatchObject({ address: address.address, delivery_zone_id: 101 });
    for (const name of Object.keys(door)) expect(kept).not.toHaveProperty(name);
  });

  it('follows the cart of the server, a lost address too', () => {
    renderInCity(<Place />);
    act(() => followCart(makeCart([], { delivery_address: address })));
    expect(shown()).toMatchObject({ order_type: 'delivery', chosen: true });
    act(() => followCart(makeCart()));
    expect(shown()).toMatchObject({ order_type: 'delivery', chosen: false });
  });

  it('never takes a shop or an order type that the city does not have', () => {
    setPlace(1, { orderType: 'takeaway', shop: makeShop({ city_id: 2 }) });
    const city = makeCity({ order_types: { delivery: true, takeaway: false } });
    renderInCity(<Place />, { data: makePageData({ city }) });
    expect(shown()).toEqual({ city_id: 1, order_type: 'delivery', chosen: false });
  });
});

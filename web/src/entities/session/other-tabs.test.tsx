import { QueryClient } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/api/keys';
import { followCart, setPlace, toQuery, usePlace } from '@/entities/place/place';
import { writeInTab, writeStored } from '@/lib/storage';
import { makeCart } from '@/testing/fixtures';
import { makeAddress } from '@/testing/orders';
import { makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { followOtherTabs } from './other-tabs';
import { storedKey } from './session';

function Place() {
  const place = usePlace();
  return <p>{JSON.stringify({ ...toQuery(place), room: place.address?.room })}</p>;
}

const shown = () => JSON.parse(screen.getByText(/city_id/).textContent ?? '');
const shop = makeShop({ id: 3 });
const address = makeAddress({ delivery_zone_id: 101 });

/** Stores a place as another tab does, and lets this tab know. */
function storeElsewhere(choice: object) {
  const oldValue = localStorage.getItem('place.1');
  const newValue = JSON.stringify({ value: choice, until: Date.now() + 1000 });
  localStorage.setItem('place.1', newValue);
  act(
    () => void dispatchEvent(new StorageEvent('storage', { key: 'place.1', oldValue, newValue })),
  );
}

describe('what this tab has loaded of a customer', () => {
  const anna = { id: 1, phone: '79161234567', name: 'Anna' };

  /** Follows a tab that stores another customer in place of Anna, and returns Anna's profile in this tab after that. */
  function profileAfter(next: typeof anna | undefined) {
    const client = new QueryClient();
    client.setQueryData(keys.profile(), anna);
    const stop = followOtherTabs(client);
    const stored = (value: object) => JSON.stringify({ value, until: Date.now() + 1000 });
    const change = { oldValue: stored(anna), newValue: next ? stored(next) : null };
    dispatchEvent(new StorageEvent('storage', { key: storedKey, ...change }));
    stop();
    return client.getQueryData(keys.profile());
  }

  it('is gone when they sign out in another tab, before somebody else signs in', () => {
    expect(profileAfter(undefined)).toBeUndefined();
  });

  it('is gone when somebody else signs in in another tab', () => {
    expect(profileAfter({ ...anna, id: 2 })).toBeUndefined();
  });

  it('stays when they change their name in another tab', () => {
    expect(profileAfter({ ...anna, name: 'Anna Maria' })).toEqual(anna);
  });
});

describe('the drafts of this tab', () => {
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
    vi.spyOn(location, 'reload').mockImplementation(
      () => void dispatchEvent(new PageTransitionEvent('pagehide')),
    );
  });
  afterEach(() => vi.restoreAllMocks());

  /** Opens a document of the tab and returns the function that closes it. */
  const open = () => followOtherTabs(new QueryClient());
  const write = () => {
    writeInTab('form-draft.feedback', { name: 'Anna' });
    writeInTab('checkout.1', { values: { username: 'Anna' } });
  };
  const drafts = () => Object.keys(sessionStorage).filter((key) => key !== 'left');
  const signOutElsewhere = () => writeStored('left', Date.now());

  it('are gone with its document when the customer signs out in another tab', () => {
    const close = open();
    write();
    signOutElsewhere();
    dispatchEvent(new StorageEvent('storage', { key: 'left' }));
    close();
    expect(location.reload).toHaveBeenCalledOnce();
    expect(drafts()).toEqual([]);
  });

  it('are gone when the customer has signed out while the tab was closed', () => {
    const close = open();
    write();
    close();
    signOutElsewhere();
    open()();
    open()();
    expect(location.reload).toHaveBeenCalledOnce();
    expect(drafts()).toEqual([]);
  });

  it('stay when somebody has signed out before it was opened', () => {
    signOutElsewhere();
    const close = open();
    write();
    close();
    open()();
    expect(location.reload).not.toHaveBeenCalled();
    expect(drafts()).toHaveLength(2);
  });

  it('stay when another tab finds that the session has ended', () => {
    const close = open();
    write();
    dispatchEvent(new StorageEvent('storage', { key: storedKey, newValue: null }));
    close();
    expect(drafts()).toHaveLength(2);
  });
});

describe('the place that another tab chooses', () => {
  it('is that of this tab too', () => {
    renderInCity(<Place />);
    const stop = followOtherTabs(new QueryClient());
    act(() => setPlace(1, { orderType: 'delivery', address }));
    storeElsewhere({ orderType: 'takeaway', shop });
    expect(shown()).toMatchObject({ order_type: 'takeaway', shop_id: 3 });
    storeElsewhere({ orderType: 'delivery', address });
    expect(shown()).toMatchObject({ order_type: 'delivery', delivery_zone_id: 101 });
    stop();
    storeElsewhere({ orderType: 'takeaway', shop });
    expect(shown()).toMatchObject({ order_type: 'delivery' });
  });

  it('keeps the details of this tab when it is the same', () => {
    renderInCity(<Place />);
    const stop = followOtherTabs(new QueryClient());
    const door = { ...address, room: '12' };
    act(() => followCart(makeCart([], { delivery_address: door })));
    storeElsewhere({ orderType: 'delivery', address });
    expect(shown()).toMatchObject({ delivery_zone_id: 101, room: '12' });
    stop();
  });
});

import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { setPlace } from '@/entities/place/place';
import { makeCart, makeGift, makeLine } from '@/testing/fixtures';
import { makeAddress } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
// Loads its chunk before the clock of the first test starts.
import './all-conditions';
import { Gifts } from './gift-list';

type Gift = Schema<'Gift'>;

const delivery_address = makeAddress();
const cartWith = (gifts: Gift[], presents: Gift[] = []) =>
  makeCart([makeLine()], { delivery_address, gifts, presents });
const sent: { path: string; body: unknown }[] = [];

/** Answers the call with a cart that has the gift, and adds the request to `sent`. */
const answerGift = (
  path: '/cart/gift/add' | '/cart/gift/remove' | '/cart/gift/forget',
  gift: Gift,
) =>
  answer('put', path, async ({ request }) => {
    sent.push({ path, body: await request.json() });
    return { cart: cartWith([gift]) };
  });

beforeEach(() => {
  sent.length = 0;
  setPlace(1, { orderType: 'delivery', address: delivery_address });
});

/** Renders the gifts of a cart and waits until they are shown. */
async function openGifts(gifts: Gift[], presents: Gift[] = []) {
  server.use(answer('put', '/cart', () => ({ cart: cartWith(gifts, presents) })));
  const page = renderInCity(<Gifts />);
  await screen.findByRole('region', { name: /Gifts|presents/ });
  return page;
}

const list = () => within(screen.getByRole('region', { name: 'Gifts' }));

const takeButton = () => screen.getByRole('button', { name: 'Take the gift: Miso soup' });

describe('a gift', () => {
  it('is free and shows its usual price', async () => {
    await openGifts([makeGift()]);
    expect(screen.getByRole('listitem').textContent).toContain('free usual price: €4');
  });

  it('shows the last day on which it can be taken, also where it ends at midnight', async () => {
    const byDay = makeGift({ id: 1, name: 'Tea', expires_at: '2026-11-30T20:00:00Z' });
    const atMidnight = makeGift({ id: 2, name: 'Cake', expires_at: '2026-11-30T23:00:00Z' });
    await openGifts([], [byDay, atMidnight]);
    const notes = screen.getAllByText(/^until/).map(({ textContent }) => textContent);
    expect(notes).toEqual(['until 30\u00a0November', 'until 30\u00a0November']);
  });

  it('of which there is one is taken and removed by the same button', async () => {
    server.use(
      // The server says whether one more is available.
      answerGift('/cart/gift/add', makeGift({ count: 1, is_available: false })),
      answerGift('/cart/gift/forget', makeGift({ count: 0 })),
    );
    const { user } = await openGifts([makeGift()]);
    takeButton().focus();
    await user.keyboard('{Enter}');
    const remove = screen.getByRole('button', { name: 'Remove the gift: Miso soup' });
    expect(document.activeElement).toBe(remove);
    await waitFor(() => expect(sent).toMatchObject([{ body: { gift_id: 1, city_id: 1 } }]));
    await user.keyboard('{Enter}');
    expect(takeButton()).toBe(document.activeElement);
    await waitFor(() => expect(sent[1]?.path).toBe('/cart/gift/forget'));
    expect(takeButton()).toBe(document.activeElement);
  });

  it('of which there are several is counted at once and removed with the last', async () => {
    const several = (count: number) => makeGift({ count, max_count: 2, is_available: count < 2 });
    server.use(
      answerGift('/cart/gift/add', several(2)),
      answerGift('/cart/gift/remove', several(1)),
      answerGift('/cart/gift/forget', several(0)),
    );
    const { user } = await openGifts([several(1)]);
    await user.click(screen.getByRole('button', { name: 'Add one: Miso soup' }));
    screen.getByText('2');
    await waitFor(() => expect(sent).toHaveLength(1));
    await user.click(await screen.findByRole('button', { name: 'Take one away: Miso soup' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    await user.click(screen.getByRole('button', { name: 'Take one away: Miso soup' }));
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent.map(({ path }) => path)).toEqual([
      '/cart/gift/add',
      '/cart/gift/remove',
      '/cart/gift/forget',
    ]);
  });

  it('goes back to what the server has when it is refused, with the reason', async () => {
    server.use(
      refuse('put', '/cart/gift/add', 422, {
        message: 'All are given away',
        errors: { gift_id: ['All are given away'] },
      }),
    );
    const { user } = await openGifts([makeGift()]);
    await user.click(takeButton());
    await screen.findByText('All are given away');
    takeButton();
  });

  it('that is not earned says what is missing', async () => {
    const unmet = (count: number) =>
      Array.from({ length: count }, (_, place) => ({
        message: `Step ${count}.${place}`,
        validated: false,
      }));
    const { user } = await openGifts([
      makeGift({ id: 1, name: 'One', conditions: unmet(1) }),
      makeGift({ id: 2, name: 'Two', conditions: unmet(2) }),
      makeGift({ id: 3, name: 'Three', conditions: unmet(3) }),
    ]);
    screen.getByText('Step 1.0');
    expect(screen.queryByText('Step 2.0')).toBeNull();
    await user.click(screen.getByRole('button', { name: '2 more gifts' }));
    screen.getByText('Step 2.0');
    screen.getByText('Step 2.1');
    expect(screen.queryByText('Step 3.0')).toBeNull();
    expect(screen.queryByRole('button', { name: /Take the gift/ })).toBeNull();
    (await screen.findByRole('button', { name: 'What is needed' })).focus();
    await user.keyboard('{Enter}');
    const all = within(await screen.findByRole('dialog', { name: 'For the gift “Three”' }));
    expect(all.getAllByRole('listitem')).toHaveLength(3);
  });

  it('that is not available says why', async () => {
    await openGifts([makeGift({ is_available: false, alert: 'All are given away today' })]);
    screen.getByText('All are given away today');
    expect(list().queryByRole('button')).toBeNull();
  });

  it('of a promocode is removed with the code only', async () => {
    await openGifts([makeGift({ type: 'promocodeGift', count: 1 })]);
    screen.getByText('With the promo code');
    expect(list().queryByRole('button')).toBeNull();
  });

  it('that has just been earned is announced once', async () => {
    const conditions = [{ message: 'Add a roll', validated: false }];
    const { client } = await openGifts([makeGift({ conditions })]);
    expect(screen.queryByText('A gift is yours: Miso soup')).toBeNull();
    server.use(answer('put', '/cart', () => ({ cart: cartWith([makeGift()]) })));
    await client.invalidateQueries();
    await screen.findByText('A gift is yours: Miso soup');
  });
});

it('presents are a list of the customer, taken by calls of their own', async () => {
  const present = makeGift({ id: 7, name: 'Cake', type: 'personalGift' });
  const paths: string[] = [];
  server.use(
    answer('put', '/cart/gift/add-present', async ({ request }) => {
      paths.push(`add ${((await request.json()) as { id: number }).id}`);
      return { cart: cartWith([], [{ ...present, count: 1 }]) };
    }),
    answer('put', '/cart/gift/remove-present', async ({ request }) => {
      paths.push(`remove ${((await request.json()) as { id: number }).id}`);
      return { cart: cartWith([], [present]) };
    }),
  );
  const { user } = await openGifts([], [present]);
  screen.getByRole('region', { name: 'Your presents' });
  await user.click(screen.getByRole('button', { name: 'Take the gift: Cake' }));
  await waitFor(() => expect(paths).toEqual(['add 7']));
  await user.click(screen.getByRole('button', { name: 'Remove the gift: Cake' }));
  await waitFor(() => expect(paths).toEqual(['add 7', 'remove 7']));
});

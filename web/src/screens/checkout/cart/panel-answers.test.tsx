import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { clearPlaces, setPlace } from '@/entities/place/place';
import { makeCity, makePageData } from '@/testing/fixtures';
import { makeFoundAddress, makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { modals } from '@/ui/modals/modal-store';
import { readDraft } from '../form/draft';
import { PanelAnswers } from './panel-answers';

const address = makeFoundAddress();
const types: Schema<'PaymentType'>[] = [
  { alias: 'card_online', name: 'Card online', is_online: true },
  { alias: 'cash', name: 'Cash', is_online: false },
];

beforeEach(() => {
  sessionStorage.clear();
  clearPlaces();
  setPlace(1, { orderType: 'delivery', address });
  server.use(answer('post', '/user/payment-types', () => ({ payment_types: types })));
});

const opened = () => modals.get().defaults.at(-1);

describe('the panel of the cart', () => {
  it('leads from delivery to takeaway, and to another address', async () => {
    const { user } = renderInCity(<PanelAnswers />);
    expect(screen.getByText(address.address)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Change the address' }));
    expect(opened()).toMatchObject({ name: 'order-types', params: { orderType: 'delivery' } });
    await user.click(screen.getByRole('button', { name: 'Switch to takeaway', hidden: true }));
    expect(opened()).toMatchObject({ name: 'order-types', params: { orderType: 'takeaway' } });
  });

  it('offers no other way to order where the city has none', () => {
    setPlace(1, { orderType: 'takeaway', shop: makeShop() });
    const city = makeCity({ order_types: { delivery: false, takeaway: true } });
    renderInCity(<PanelAnswers />, { data: makePageData({ city }) });
    expect(screen.getByRole('button', { name: 'Change the shop' })).toBeDefined();
    expect(screen.queryByRole('button', { name: /Switch to/ })).toBeNull();
  });

  it('chooses the way to pay for the checkout', async () => {
    const { user } = renderInCity(<PanelAnswers />);
    expect(await screen.findByText('Card online', { selector: 'summary *' })).toBeDefined();
    await user.click(screen.getByRole('radio', { name: 'Cash' }));
    expect(screen.getByText('Cash', { selector: 'summary *' })).toBeDefined();
    expect(readDraft(1).values.paymentType).toBe('cash');
  });
});

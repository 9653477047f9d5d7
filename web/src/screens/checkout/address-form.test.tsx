import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { makePageData } from '@/testing/fixtures';
import { makeReadyCart } from '@/testing/orders';
import { answer, refuse, server } from '@/testing/server';
import { city, fillIn, guestData, openCheckout, orderButton } from './checkout-page.fixture';

const named: Schema<'AddressQuestion'>[] = [
  { field: 'bell_name', is_required: true, is_for_flats: false },
  { field: 'floor', is_required: false, is_for_flats: true },
  { field: 'rear_building', is_required: false, is_for_flats: false },
];

const openNamed = () =>
  openCheckout(
    makeReadyCart(),
    undefined,
    makePageData({ city: { ...city, address_form: named }, path: '/berlin/cart?step=2' }),
  );

describe('the address form of the checkout', () => {
  it('asks for the name at the bell in place of a flat where the country does', async () => {
    const { user, sent } = await openNamed();
    expect(screen.queryByRole('textbox', { name: /Apartment/ })).toBeNull();
    await user.click(orderButton());
    const bell = await screen.findByRole('textbox', { name: /Name at the doorbell/ });
    await waitFor(() => expect(document.activeElement).toBe(bell));
    expect(screen.getByText('Enter the name at the doorbell')).toBeTruthy();
    await user.type(bell, 'Müller');
    await user.click(screen.getByText('More details for the courier'));
    await user.type(screen.getByRole('textbox', { name: /Rear building/ }), '2. HH');
    await user.type(screen.getByLabelText(/Your name/), 'Anna');
    await user.click(screen.getByRole('textbox', { name: /Phone/ }));
    await user.paste('30123456789');
    await user.click(orderButton());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.delivery_address).toEqual({
      id: 7,
      bell_name: 'Müller',
      floor: '',
      rear_building: '2. HH',
      description: '',
    });
  });

  it('needs no flat of a private house and sends none', async () => {
    const { user, sent } = await openCheckout();
    await fillIn(user);
    const flat = screen.getByRole<HTMLInputElement>('textbox', { name: /Apartment/ });
    await user.clear(flat);
    await user.click(orderButton());
    await screen.findByText('Enter the apartment or office');
    await user.click(screen.getByRole('checkbox', { name: 'Private house' }));
    expect(screen.queryByText('Enter the apartment or office')).toBeNull();
    expect(flat.disabled).toBe(true);
    await user.click(orderButton());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.delivery_address).toEqual({
      id: 7,
      private_house: true,
      intercom: '',
      description: '',
    });
  });

  it('has a flat again when the house is not private after all', async () => {
    const { user, sent } = await openCheckout();
    await fillIn(user);
    const box = screen.getByRole('checkbox', { name: 'Private house' });
    await user.click(box);
    await user.click(box);
    await user.click(orderButton());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.delivery_address).toMatchObject({ private_house: false, room: '12' });
  });

  it('loads the form again when the server asks for what it lacks', async () => {
    const { user } = await openCheckout(undefined, undefined, guestData);
    await fillIn(user);
    server.use(
      refuse('post', '/order/create', 422, {
        message: 'Check the fields',
        errors: { bell_name: ['Enter the name'] },
      }),
      answer('get', '/cities/{alias}', () => ({ city: { ...city, address_form: named } })),
    );
    await user.click(orderButton());
    await screen.findByText('Enter the name');
    await screen.findByRole('textbox', { name: /Name at the doorbell/ });
  });
});

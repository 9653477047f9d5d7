import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import { makeCity, makePageData, twoMasks } from '@/testing/fixtures';
import { makeFoundAddress } from '@/testing/places';
import { answer, server } from '@/testing/server';
import type { MapViewProps } from '@/ui/map/map-things';
import { closeAllModals } from '@/ui/modals/modal-store';
import { field, openDialog, serveDialog, shop } from '../order-types-dialog.fixture';
import '../shops/nearest-shop';

// The map draws by measuring the page, which a test has none of; everything on it has a way in words.
vi.mock('@/ui/map/map-view', () => ({
  MapView: ({ label, zoom }: MapViewProps) => <p>{`${label}: zoom ${zoom}`}</p>,
}));

beforeEach(serveDialog);

it('offers two alternatives where the city does not deliver', async () => {
  const kept = vi.fn();
  server.use(
    answer('post', '/geocoder/searchByAddress', () => ({
      result: 'not_available' as const,
      delivery_address: makeFoundAddress({ delivery_possible: false }),
      nearest_shop: { shop, distance: 1240 },
    })),
    answer('post', '/feedback/unavailable-delivery-address', async ({ request }) => {
      kept(await request.json());
      return {};
    }),
  );
  const { user } = openDialog();
  await user.type(await field(), 'Torstraße 10{Enter}');
  await screen.findByText('The nearest shop is Mitte, 1.2 km away.');
  await user.click(screen.getByRole('button', { name: 'Notify me' }));
  await screen.findByText('Enter the whole phone number.');
  await user.type(screen.getByLabelText(/Phone/), '30123456789');
  await user.click(screen.getByRole('button', { name: 'Notify me' }));
  await screen.findByText(/We will let you know/);
  expect(kept).toHaveBeenCalledWith(
    expect.objectContaining({ phone: expect.stringMatching(/^49/) }),
  );
  await user.click(screen.getByRole('button', { name: 'Pick it up at Mitte' }));
  await screen.findByText('place: takeaway Mitte');
});

const abroad = makePageData({ city: makeCity({ phone_masks: twoMasks }), shops: [shop] });
/** Answers that no address is delivered to; returns the mock that is called with what is sent to be notified. */
const deliverNowhere = () => {
  const sent = vi.fn();
  server.use(
    answer('post', '/geocoder/searchByAddress', () => ({
      result: 'not_available' as const,
      delivery_address: makeFoundAddress({ delivery_possible: false }),
    })),
    answer('post', '/feedback/unavailable-delivery-address', async ({ request }) => {
      sent(await request.json());
      return {};
    }),
  );
  return sent;
};

it('sends the phone again when the answer is lost, and thanks for it', async () => {
  const sent = deliverNowhere();
  const lose = vi.fn(() => HttpResponse.error());
  server.use(http.post('*/api/feedback/unavailable-delivery-address', lose, { once: true }));
  const { user } = openDialog();
  await user.type(await field(), 'Torstraße 10{Enter}');
  await user.type(await screen.findByLabelText(/Phone/), '30123456789');
  await user.click(screen.getByRole('button', { name: 'Notify me' }));
  await screen.findByText(/We will let you know/, {}, { timeout: 3000 });
  expect(lose).toHaveBeenCalledOnce();
  expect(sent).toHaveBeenCalledOnce();
});

it('notifies at a number of another country, whose draft keeps the country', async () => {
  const sent = deliverNowhere();
  const page = openDialog(abroad);
  await page.user.type(await field(), 'Torstraße 10{Enter}');
  await page.user.selectOptions(await screen.findByLabelText('Country code'), '2');
  await page.user.type(screen.getByLabelText(/Phone/), '5321234567');
  page.unmount();
  closeAllModals();

  const { user } = openDialog(abroad);
  const phone = await screen.findByLabelText<HTMLInputElement>(/Phone/);
  expect(phone.value).toBe('+90 532 123 45 67');
  expect(screen.getByLabelText<HTMLSelectElement>('Country code').value).toBe('2');
  await user.click(screen.getByRole('button', { name: 'Notify me' }));
  await screen.findByText(/We will let you know/);
  expect(sent).toHaveBeenCalledWith(expect.objectContaining({ phone: '905321234567' }));
});

it('notifies at a pasted number of another country', async () => {
  const sent = deliverNowhere();
  const { user } = openDialog(abroad);
  await user.type(await field(), 'Torstraße 10{Enter}');
  await user.click(await screen.findByLabelText(/Phone/));
  await user.paste('+90 532 123 45 67');
  await user.click(screen.getByRole('button', { name: 'Notify me' }));
  await screen.findByText(/We will let you know/);
  expect(sent).toHaveBeenCalledWith(expect.objectContaining({ phone: '905321234567' }));
});

it('shows the nearest shop where the city does not deliver, which can be left or chosen', async () => {
  server.use(
    answer('post', '/geocoder/searchByAddress', () => ({
      result: 'not_available' as const,
      delivery_address: makeFoundAddress({ delivery_possible: false }),
      nearest_shop: { shop, distance: 1240 },
    })),
  );
  const { user } = openDialog();
  await user.type(await field(), 'Torstraße 10{Enter}');
  await user.click(await screen.findByRole('button', { name: 'About the shop' }));
  await screen.findByRole('dialog', { name: 'The nearest shop' });
  screen.getByText('1.2 km');
  await user.click(screen.getByRole('button', { name: 'Another address' }));
  await screen.findByRole('dialog', { name: 'Where to bring it' });
  expect(screen.queryByRole('dialog', { name: 'The nearest shop' })).toBeNull();
  screen.getByText('place: delivery nowhere');
  await user.click(await screen.findByRole('button', { name: 'About the shop' }));
  await user.click(await screen.findByRole('button', { name: 'Pick it up here' }));
  await screen.findByText('place: takeaway Mitte');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

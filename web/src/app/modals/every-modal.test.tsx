import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  makeBanner,
  makeCart,
  makeCity,
  makeGroup,
  makeLine,
  makePageData,
  makeProduct,
} from '@/testing/fixtures';
import { makeAddress, makeOrder, makeStatus, makeTimes } from '@/testing/orders';
import { makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import type { ModalName, ModalParams } from '@/ui/modals/modal-names';
import { openModal } from '@/ui/modals/modal-store';
import { registry } from './registry';

// The map draws by measuring the page, which a test has none of.
vi.mock('@/ui/map/map-view', () => ({ MapView: () => null }));

const onConfirm = async () => undefined;
const product = makeProduct();
const shop = makeShop({ open_state: { open: false, text: 'Closed today' } });
const promotion = {
  id: 1,
  alias: 'pair',
  name: 'Two for one',
  description: '<p>On Mondays</p>',
  images: {},
};

/** The parameters to open each modal with. A new modal of the registry does not compile without its entry here. */
const params: { [Name in ModalName]: ModalParams[Name] } = {
  allergens: {},
  'bonus-info': {},
  'call-me-back': {},
  cities: {},
  'confirm-cancel-order': { orderId: 1, status: makeStatus(), onConfirm },
  'confirm-delete-account': {},
  'confirm-delete-address': { address: 'Berlin, Torstraße 12, apt. 4', onConfirm },
  'confirm-empty-cart': {},
  'confirm-other-city': {
    city: { id: 4, alias: 'samara', name: 'Samara', where: 'in Samara' },
    here: 'in Berlin',
    onConfirm,
  },
  'confirm-repeat': { onChoose: () => undefined },
  'confirm-select-address': { address: makeAddress(), reason: 'far', onConfirm },
  'confirm-shop': { shop, onConfirm },
  'confirm-takeaway': { shopName: 'Mitte', losses: { products: ['Unagi'] }, onConfirm },
  'cookie-settings': {},
  feedback: {},
  info: {},
  intervals: {},
  landlord: {},
  'marketing-banner': { bannerId: 1 },
  'nearest-shop': { nearest: { shop, distance: 300 } },
  'order-changes': { changes: [{ kind: 'gone', name: 'Unagi' }] },
  'order-status': {},
  'order-types': {},
  product: { productKey: product.key },
  promo: { alias: promotion.alias },
  'return-request': {},
  search: {},
  'server-error': { message: 'The oven broke' },
  supplier: {},
  'user-login': {},
};

const names = Object.keys(registry) as ModalName[];

/** The labels of fields whose text is not kept: searches, and a code that is entered once. */
const passing = /search|name of the city|^code$/i;

// The chunks of all dialogs are loaded before the clock of a test runs.
beforeAll(() => Promise.all(names.map((name) => registry[name].load())), 60_000);

beforeEach(() => {
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart([makeLine()]) })),
    answer('get', '/user/addresses', () => ({ delivery_addresses: [] })),
    answer('get', '/user/check-session', () => ({ is_signed_in: false })),
    answer('get', '/user/verification', () => ({ user: {} })),
    answer('post', '/schedule/intervals', () => makeTimes()),
    answer('post', '/geocoder/suggest', () => ({ suggestions: [] })),
    answer('get', '/cities/{alias}/streets', () => ({ streets: [] })),
    answer('get', '/order/{id}', () => ({ order: makeOrder() })),
    answer('get', '/shops', () => ({ shops: [shop] })),
    http.post('*/api/products*', () =>
      HttpResponse.json({ product_groups: [makeGroup()], popular_products: [] }),
    ),
    http.get('*/api/products/*', () => HttpResponse.json(product)),
    http.post('*/api/products/get-related-products', () => HttpResponse.json({ products: [] })),
  );
});

function Opener({ name }: { name: ModalName }) {
  return (
    <button type="button" onClick={() => openModal(name, params[name] as never)}>
      Open
    </button>
  );
}

/** Renders a button that opens the modal. `press` opens it and returns the dialog once it has the focus. */
function renderOpener(name: ModalName) {
  const city = makeCity({ marketing_banners: [makeBanner()], promotions: [promotion] } as never);
  const shown = renderInCity(<Opener name={name} />, {
    data: makePageData({ city, shops: [shop] } as never),
  });
  const opener = screen.getByRole('button', { name: 'Open' });
  const press = async () => {
    await shown.user.click(opener);
    const dialog = await screen.findByRole('dialog', undefined, { timeout: 3000 });
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    return dialog;
  };
  return { ...shown, opener, press };
}

/** Returns the fields of a dialog whose text is kept. */
const fieldsOf = (dialog: HTMLElement) =>
  ['textbox', 'searchbox', 'combobox']
    .flatMap((role) => within(dialog).queryAllByRole<HTMLInputElement>(role))
    .filter((field) => field.tagName !== 'SELECT' && !field.readOnly)
    .filter((field) => !passing.test(field.labels?.[0]?.textContent ?? ''));

/** Waits until no modal is shown and the button has the focus again. */
async function expectClosed(opener: HTMLElement) {
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(opener));
}

describe.each(names)('the modal %s', { timeout: 15_000 }, (name) => {
  it('has a name, takes the focus, keeps it, and returns it when Escape or Back closes it', async () => {
    const { press, opener, user } = renderOpener(name);
    window.scrollTo(0, 300);
    const dialog = await press();
    const title = document.getElementById(dialog.getAttribute('aria-labelledby') ?? '');
    expect(title?.textContent?.trim()).toBeTruthy();
    for (const key of [
      '{Tab}',
      '{Tab}',
      '{Tab}',
      '{Shift>}{Tab}{/Shift}',
      '{Shift>}{Tab}{/Shift}',
    ]) {
      await user.keyboard(key);
      await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    }
    await user.keyboard('{Escape}');
    await expectClosed(opener);

    await press();
    window.scrollTo(0, 0);
    await act(async () => history.back());
    await expectClosed(opener);
    expect(window.scrollY).toBe(300);
  });

  it('loses nothing of what was typed when it is closed', async () => {
    const { press, opener, user } = renderOpener(name);
    for (const field of fieldsOf(await press())) await user.type(field, '12345');
    const typed = fieldsOf(screen.getByRole('dialog')).map(({ value }) => value);
    // The first Escape in a field with suggestions is for them.
    screen.getByRole('dialog').focus();
    await user.keyboard('{Escape}');
    await expectClosed(opener);
    expect(fieldsOf(await press()).map(({ value }) => value)).toEqual(typed);
    expect(typed.every((value) => value !== '')).toBe(true);
  });
});

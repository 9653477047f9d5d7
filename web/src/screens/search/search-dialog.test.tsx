import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { setPlace } from '@/entities/place/place';
import { makeCart, makeGroup, makePageData, makeProduct } from '@/testing/fixtures';
import { makeFoundAddress } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { closeAllModals } from '@/ui/modals/modal-store';
import { SearchButton } from './search-button';
// Loaded with the test: its chunk takes longer than a test waits where the machine is busy.
import './search-dialog';

const groups = [
  makeGroup({ products: [makeProduct()] }),
  makeGroup({
    id: 2,
    alias: 'soups',
    name: 'Soups',
    products: [
      makeProduct({ id: 2, key: 'miso', name: 'Miso', composition: 'tofu, nori' }),
      makeProduct({ id: 3, key: 'ramen', name: 'Ramen', composition: 'egg, nori' }),
    ],
  }),
];
const menu = { product_groups: groups, popular_products: ['philadelphia'] };
const address = makeFoundAddress();

beforeEach(() => setPlace(1, { orderType: 'delivery', address }));

/** Renders the page and opens the search by "/"; returns the empty field and its dialog. */
async function openSearch() {
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart([], { delivery_address: address }) })),
    answer('get', '/products', () => menu),
  );
  const { user } = renderInCity(<SearchButton />, { data: makePageData({ menu }) });
  await user.keyboard('/');
  const dialog = await screen.findByRole('dialog', { name: 'Search the menu' });
  const field = within(dialog).getByRole('searchbox');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await user.clear(field);
  return { user, dialog, field };
}

it('opens by "/", offers what is often ordered and the groups', async () => {
  const { dialog } = await openSearch();
  within(dialog).getByRole('list', { name: 'Often ordered' });
  expect(within(dialog).getByRole('link', { name: 'Soups' }).getAttribute('href')).toBe(
    '/berlin?group=soups',
  );
});

it('finds in spite of a typo, marks the word and says how many', async () => {
  const { user, dialog } = await openSearch();
  await user.keyboard('philadelhpia');
  const list = await within(dialog).findByRole('list', { name: 'Found' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(1);
  expect(list.querySelector('mark')?.textContent).toBe('Philadelphia');
  await waitFor(() => expect(within(dialog).getByRole('status').textContent).toBe('Found: 1 dish'));
});

it('is navigated with the arrows, and Enter opens the first', async () => {
  const { user, dialog, field } = await openSearch();
  await user.keyboard('soup');
  await within(dialog).findByRole('list', { name: 'Found' });
  await user.keyboard('{Enter}');
  expect(document.activeElement?.textContent).toBe('Miso');
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('Ramen');
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(document.activeElement).toBe(field);
});

it('keeps its words while dishes are added', async () => {
  const { user, dialog, field } = await openSearch();
  await user.keyboard('miso');
  const price = await within(dialog).findByRole('button', { name: /Add to cart: Miso/ });
  server.use(answer('put', '/cart/add', () => ({ cart: makeCart() })));
  await user.click(price);
  expect(field).toHaveProperty('value', 'miso');
  expect(within(dialog).getByRole('button', { name: 'Add one: Miso' })).toBeDefined();
});

it('is there again, at the dish, when a dish that was opened from it closes', async () => {
  const { user, dialog } = await openSearch();
  await user.keyboard('soup');
  await within(dialog).findByRole('list', { name: 'Found' });
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await screen.findByRole('dialog', { name: 'Ramen' });
  await user.keyboard('{Escape}');
  await screen.findByRole('dialog', { name: 'Search the menu' });
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Ramen'));
  expect(screen.getByRole('searchbox')).toHaveProperty('value', 'soup');
});

it('says when there is no such dish and offers the groups', async () => {
  const { user, dialog } = await openSearch();
  await user.keyboard('qwzx');
  await within(dialog).findByRole('heading', { name: 'There is no such dish' });
  expect(within(dialog).getByRole('link', { name: 'Soups' })).toBeDefined();
});

it('returns the focus to the button that opened it', async () => {
  server.use(answer('put', '/cart', () => ({ cart: makeCart() })));
  const { user } = renderInCity(<SearchButton />, { data: makePageData({ menu }) });
  const button = screen.getByRole('button', { name: 'Search the menu' });
  await user.click(button);
  await screen.findByRole('dialog');
  closeAllModals();
  await waitFor(() => expect(document.activeElement).toBe(button));
});

it('does not open by "/" while a text is written', async () => {
  const { user } = renderInCity(
    <>
      <SearchButton />
      <input aria-label="Comment" />
    </>,
    { data: makePageData({ menu }) },
  );
  await user.type(screen.getByRole('textbox'), '1/2');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('textbox')).toHaveProperty('value', '1/2');
});

import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
// Loaded with the test: its chunk takes longer than a test waits where the machine is busy.
import '@/screens/allergens/allergens-dialog';
import { makeCart, makeCity, makeGroup, makePageData, makeProduct } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { openModal } from '@/ui/modals/modal-store';
import { MenuList } from './menu-list';

const milk = { alias: 'milk', name: 'milk' };
const fish = { alias: 'fish', name: 'fish' };
const roll = makeProduct({ allergens: [fish, milk] });
const menu = { product_groups: [makeGroup({ products: [roll] })], popular_products: [roll.key] };
const city = makeCity({ allergens: [milk, fish, { alias: 'lupin', name: 'lupin' }] });

async function tickMilk() {
  server.use(answer('put', '/cart', () => ({ cart: makeCart() })));
  const { user } = renderInCity(<MenuList />, { data: makePageData({ menu, city }) });
  await user.click(screen.getByRole('button', { name: "I don't eat…" }));
  const dialog = await screen.findByRole('dialog', { name: 'I do not eat' });
  await user.click(within(dialog).getByRole('checkbox', { name: 'milk' }));
  return { user, dialog };
}

it('offers what the city names, also what no dish has in it now', async () => {
  const { dialog } = await tickMilk();
  expect(within(dialog).getAllByRole('checkbox')).toHaveLength(3);
});

it('marks each dish with what is avoided in it, in words, and lets it be ordered', async () => {
  const { user } = await tickMilk();
  await user.click(screen.getByRole('button', { name: 'Done' }));
  // In the row of what is often ordered and in its group.
  expect(screen.getAllByText('Contains milk')).toHaveLength(2);
  expect(screen.getByRole('button', { name: "I don't eat… 1" })).toBeDefined();
  const prices = screen.getAllByRole('button', { name: /Add to cart: Philadelphia/ });
  expect(prices.map((price) => price.hasAttribute('disabled'))).toEqual([false, false]);
});

it('clears the choice with one press', async () => {
  const { user, dialog } = await tickMilk();
  await user.click(within(dialog).getByRole('button', { name: 'Clear' }));
  expect(screen.queryByText('Contains milk')).toBeNull();
  expect(within(dialog).queryByRole('button', { name: 'Clear' })).toBeNull();
});

it('opens over a dish and leads back to it', async () => {
  server.use(answer('put', '/cart', () => ({ cart: makeCart() })));
  const { user } = renderInCity(null, { data: makePageData({ menu, city }) });
  openModal('product', { productKey: roll.key });
  await screen.findByRole('dialog', { name: roll.name });
  openModal('allergens');
  await screen.findByRole('dialog', { name: 'I do not eat' });
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('dialog', { name: roll.name })).toBeDefined();
});

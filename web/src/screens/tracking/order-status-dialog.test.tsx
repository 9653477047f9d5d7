import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { makeCart } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { closeAllModals, openModal } from '@/ui/modals/modal-store';

const found = { order_id: 12345678, city_alias: 'berlin' };

afterEach(() => {
  closeAllModals();
  sessionStorage.clear();
});

/** Opens the dialog and fills in the form. */
async function fillForm(number: string) {
  server.use(answer('put', '/cart', () => ({ cart: makeCart() })));
  const page = renderInCity(<p>The menu</p>);
  act(() => void openModal('order-status'));
  await page.user.click(await screen.findByRole('textbox', { name: 'Order number' }));
  await page.user.paste(number);
  await page.user.type(screen.getByRole('textbox', { name: 'Phone' }), '15112345678');
  return page;
}

const findButton = () => screen.getByRole('button', { name: 'Find the order' });

it('leads to the order that was found', async () => {
  server.use(answer('post', '/order/status', () => found as never));
  const { user, places } = await fillForm('12345678');
  await user.click(findButton());
  await waitFor(() => expect(places?.at(-1)).toBe('/berlin/order/12345678/tracking'));
});

it('does not lead away from where the customer has gone when the answer comes after it was closed', async () => {
  const allowed: (() => void)[] = [];
  server.use(
    answer('post', '/order/status', async () => {
      await new Promise<void>((resolve) => allowed.push(resolve));
      return found as never;
    }),
  );
  const { user, places } = await fillForm('12345678');
  await user.click(findButton());
  await waitFor(() => expect(allowed).toHaveLength(1));
  act(closeAllModals);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  allowed[0]?.();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(places?.filter((place) => place.includes('tracking'))).toEqual([]);
});

it('takes the digits of a number that is pasted with words', async () => {
  await fillForm('Заказ № 12345678');
  expect(screen.getByRole('textbox', { name: 'Order number' })).toHaveProperty('value', '12345678');
});

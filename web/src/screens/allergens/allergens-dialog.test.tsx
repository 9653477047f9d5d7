import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeCity, makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { openModal } from '@/ui/modals/modal-store';

it('the focus goes to the button below when all ticks are cleared', async () => {
  const city = makeCity({ allergens: [{ alias: 'gluten', name: 'gluten' }] });
  const { user } = renderInCity(<p />, { data: makePageData({ city }) });
  openModal('allergens');
  await user.click(await screen.findByRole('checkbox', { name: 'gluten' }, { timeout: 5000 }));
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Done' }));
});

import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { makeCart, makeCity, makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { BonusPage } from './bonus-page';

const open = (bonus_programme?: Schema<'BonusProgramme'>) =>
  renderInCity(<BonusPage />, { data: makePageData({ city: makeCity({ bonus_programme }) }) });

beforeEach(() => server.use(answer('put', '/cart', () => ({ cart: makeCart() }))));

it('a programme says what comes back, and the last days', () => {
  open({
    percent: 2.5,
    is_accruing: true,
    is_spendable: true,
    accrual_until: '2025-04-30',
    spend_until: '2025-05-21',
  });
  screen.getByText(/2.50% of what you pay for dishes.*Until 30 April 2025/);
  screen.getByText(/Until 21 May 2025/);
});

it('a known customer sees how many bonuses they have', async () => {
  const bonus = { balance: 30, limit: 0, wanted: 0, is_available: true };
  server.use(answer('put', '/cart', () => ({ cart: makeCart([], { bonus }) })));
  open({ percent: 5, is_accruing: true, is_spendable: true });
  await screen.findByText('You have 30 B');
  screen.getByText(/on at checkout/);
});

it('a paused programme says so', () => {
  open({ percent: 5, is_accruing: false, is_spendable: false });
  screen.getByText('No new bonuses are given now.');
  screen.getByText('Bonuses cannot be spent now.');
});

it('a city without a programme says so', () => {
  open();
  screen.getByRole('heading', { name: 'There are no bonuses in this city' });
  expect(screen.getByRole('link', { name: 'To the menu' })).toBeTruthy();
});

import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeCity, makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { BonusAccounts } from './bonus-accounts';

beforeEach(() => server.use(answer('get', '/user/balance', () => ({ balance: 0, balances: [] }))));

async function openBonuses(isAccruing: boolean) {
  const bonus_programme = { percent: 5, is_accruing: isAccruing, is_spendable: true };
  renderInCity(<BonusAccounts />, { data: makePageData({ city: makeCity({ bonus_programme }) }) });
  await screen.findByText(/^0/);
}

describe('a customer without bonuses', () => {
  it('reads where they come from', async () => {
    await openBonuses(true);
    screen.getByText('They come with your orders.');
  });

  it('is promised none while the programme is paused', async () => {
    await openBonuses(false);
    expect(screen.queryByText('They come with your orders.')).toBeNull();
  });
});

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { makeCart, makeCity, makeLine, makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { BottomNavigation } from './bottom-navigation';
import { Header } from './header';

it('names the landmark of its links', async () => {
  renderInCity(<Header inCity isSlim={false} />);
  expect(await screen.findByRole('navigation', { name: 'Pages', hidden: true })).toBeTruthy();
});

it('leads to the cart and says how many dishes are in it', async () => {
  server.use(answer('put', '/cart', () => ({ cart: makeCart([makeLine({ count: 3 })]) })));
  renderInCity(<Header inCity isSlim={false} />);
  const link = await screen.findByRole('link', { name: 'Cart: 3', hidden: true });
  expect(link.getAttribute('href')).toMatch(/\/cart$/);
});

const withWords = makeCity({ pages: [{ alias: 'promotions', title: 'Promotions' }] } as never);

it('shows one page beside the promise and keeps the others behind a button', async () => {
  renderInCity(<Header inCity isSlim={false} />, { data: makePageData({ city: withWords }) });
  expect(await screen.findByRole('link', { name: 'Promotions', hidden: true })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Restaurants', hidden: true })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'More', hidden: true }));
  const link = await screen.findByRole('link', { name: 'Restaurants', hidden: true });
  expect(link.getAttribute('href')).toMatch(/\/shops$/);
});

it('leads to no promotions where the city has none', async () => {
  renderInCity(
    <>
      <Header inCity isSlim={false} />
      <BottomNavigation />
    </>,
  );
  expect(await screen.findByRole('link', { name: 'Menu' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Promotions', hidden: true })).toBeNull();
});

it('leads to promotions where the brand has words about them', async () => {
  renderInCity(<BottomNavigation />, { data: makePageData({ city: withWords }) });
  expect(await screen.findByRole('link', { name: 'Promotions' })).toBeTruthy();
});

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { makeCart, makeLine } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { Header } from './header';

it('names the landmark that its links stand in', async () => {
  renderInCity(<Header inCity isSlim={false} />);
  expect(await screen.findByRole('navigation', { name: 'Pages', hidden: true })).toBeTruthy();
});

it('leads to the cart and says how many dishes are in it', async () => {
  server.use(answer('put', '/cart', () => ({ cart: makeCart([makeLine({ count: 3 })]) })));
  renderInCity(<Header inCity isSlim={false} />);
  const link = await screen.findByRole('link', { name: 'Cart: 3', hidden: true });
  expect(link.getAttribute('href')).toMatch(/\/cart$/);
});

it('keeps the pages that it has no room for among the other ones', async () => {
  renderInCity(<Header inCity isSlim={false} />);
  const shown = await screen.findByRole('link', { name: 'Restaurants', hidden: true });
  await userEvent.click(screen.getByRole('button', { name: 'More', hidden: true }));
  const links = await screen.findAllByRole('link', { name: 'Restaurants', hidden: true });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    shown.getAttribute('href'),
    shown.getAttribute('href'),
  ]);
});

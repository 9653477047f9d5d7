import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInCity } from '@/testing/render';
import { Header } from './header';

it('names the landmark that its links stand in', async () => {
  renderInCity(<Header inCity isSlim={false} />);
  expect(await screen.findByRole('navigation', { name: 'Pages', hidden: true })).toBeTruthy();
});

import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeCity, makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { CityList } from './city-list';

const berlin = makeCity();
const kazan = makeCity({ id: 2, alias: 'kazan', name: 'Kazan' });

const open = (list: (typeof berlin)[]) =>
  renderInCity(<CityList />, {
    data: makePageData({ path: '/', city: undefined, cities: { list, big_cities: [] } }),
  });

it('a link to the choice of the city opens the only city of a brand', async () => {
  const { places } = open([berlin]);
  await waitFor(() => expect(places).toEqual([`/${berlin.alias}`]));
});

it('a brand of two cities asks which one', async () => {
  const { places } = open([berlin, kazan]);
  await screen.findByRole('heading', { name: 'Choose a city' });
  expect(places).toEqual(['/']);
});

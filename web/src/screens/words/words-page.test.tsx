import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeCity, makePageData } from '@/testing/fixtures';
import { makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { WordsPage } from './words-page';

const page = (alias: string) => ({
  alias,
  title: 'About us',
  sections: [{ heading: 'The kitchen', text: '<p>We cook <b>rice</b></p>' }],
});
const dataOf = (alias: string) => {
  const city = makeCity({ pages: [{ alias, title: 'About us' }] });
  return makePageData({ page: 'public', city, path: `/${city.alias}/${alias}` });
};

it('shows the words that came with the document, and asks for nothing', async () => {
  renderInCity(<WordsPage missing="none" />, {
    data: { ...dataOf('about'), content: page('about') },
  });
  expect(screen.getByRole('heading', { level: 1, name: 'About us' })).toBeTruthy();
  expect(screen.getByRole('heading', { level: 2, name: 'The kitchen' })).toBeTruthy();
  expect(screen.getByText('rice').tagName).toBe('B');
  expect(document.title).toContain('About us — ');
});

it('loads the words of a page that was reached by a link', async () => {
  server.use(answer('get', '/pages/{alias}', () => ({ page: page('about') })));
  renderInCity(<WordsPage missing="none" />, { data: dataOf('about') });
  expect(await screen.findByRole('heading', { level: 1, name: 'About us' })).toBeTruthy();
});

it('says which companies sell, on the legal page', async () => {
  renderInCity(<WordsPage missing="none" />, {
    data: {
      ...dataOf('legal-info'),
      content: page('legal-info'),
      shops: [makeShop({ company_name: 'Umiko Berlin GmbH' })],
    },
  });
  expect(screen.getByText(/Umiko Berlin GmbH/)).toBeTruthy();
});

it('opens the form that the page is about', async () => {
  const { user } = renderInCity(<WordsPage missing="none" />, {
    data: { ...dataOf('landlord'), content: page('landlord') },
  });
  await user.click(screen.getByRole('button', { name: 'Offer premises' }));
  expect(await screen.findByRole('dialog', { name: 'Offer premises' })).toBeTruthy();
});

it('is missing where the brand has no such page', () => {
  const data = { ...dataOf('about'), path: '/berlin/imprint' };
  renderInCity(<WordsPage missing="none" />, { data });
  expect(screen.getByText('none')).toBeTruthy();
});

it('offers to load the words again when they did not load', async () => {
  server.use(refuse('get', '/pages/{alias}', 500, { message: 'Broken' }));
  renderInCity(<WordsPage missing="none" />, { data: dataOf('about') });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});

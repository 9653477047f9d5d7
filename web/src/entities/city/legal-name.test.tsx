import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeCity, makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { LegalName } from './legal-name';

it('names the numbers of a Russian company', () => {
  const country = { id: 2, code: 'RU', name: 'Russia' };
  const data = makePageData({ city: makeCity({ country }) });
  renderInCity(<LegalName name="OOO Umiko" inn="7700000201" ogrn="1027700000201" />, { data });
  screen.getByText('OOO Umiko · INN 7700000201 · OGRN 1027700000201');
});

it('leaves the numbers of other countries as they are, and names none twice', () => {
  renderInCity(<LegalName name="Forno GmbH" inn="3000000308" ogrn="3000000308" />);
  expect(screen.getByText('Forno GmbH · 3000000308')).toBeTruthy();
});

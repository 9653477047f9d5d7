import { screen } from '@testing-library/react';
import { beforeEach, it } from 'vitest';
import { makeCity, makePageData } from '@/testing/fixtures';
import { makeFoundAddress } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { forgetPlaces, setPlace } from './place';
import { PromisePill } from './promise-pill';

beforeEach(() => {
  forgetPlaces();
  localStorage.clear();
});

it('promises nothing while the city takes no orders', () => {
  setPlace(1, { orderType: 'delivery', address: makeFoundAddress() });
  renderInCity(<PromisePill />, { data: makePageData({ city: makeCity({ type: 'stop' }) }) });
  screen.getByRole('button', { name: 'No orders now' });
});

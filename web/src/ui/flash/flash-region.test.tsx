import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInCity } from '@/testing/render';
import { flash } from './flash-store';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets time pass, in milliseconds. */
const wait = (time: number) => act(() => vi.advanceTimersByTime(time));

it('a message stays for five seconds', () => {
  renderInCity(null);
  act(() => void flash('The code is copied'));
  wait(4900);
  screen.getByText('The code is copied');
  wait(200);
  expect(screen.queryByText('The code is copied')).toBeNull();
});

it('a message stays while it is pointed at, and five seconds more', () => {
  renderInCity(null);
  act(() => void flash('The code is copied'));
  const message = screen.getByText('The code is copied');
  wait(4000);
  fireEvent.mouseEnter(message);
  wait(60_000);
  screen.getByText('The code is copied');
  fireEvent.mouseLeave(message);
  wait(4900);
  screen.getByText('The code is copied');
  wait(200);
  expect(screen.queryByText('The code is copied')).toBeNull();
});

it('a message that comes again stands once, with the two before it', () => {
  renderInCity(null);
  act(() => {
    for (const text of ['One', 'Two', 'Three', 'Two', 'Four']) flash(text);
  });
  const region = screen.getByRole('region', { name: 'Messages' });
  expect([...region.querySelectorAll('p')].map((text) => text.textContent)).toEqual([
    'Three',
    'Two',
    'Four',
  ]);
});

import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInCity } from '@/testing/render';
import { MenuSkeleton } from './menu-skeleton';

it('a menu that is loading has the shapes of 16 categories and of three groups of eight dishes', () => {
  renderInCity(<MenuSkeleton />);
  const menu = screen.getByRole('region', { name: 'The menu is loading' });
  expect(menu.getAttribute('aria-busy')).toBe('true');
  expect(menu.querySelectorAll('.h-9.w-24')).toHaveLength(16);
  expect(menu.querySelectorAll('.h-7')).toHaveLength(3);
  expect(menu.querySelectorAll('.h-11')).toHaveLength(24);
});

import { expect, it } from 'vitest';
import { groups } from './groups';

const sources = Object.keys(import.meta.glob('../screens/*/**/*.tsx'));

it('every screen has its texts in one catalogue', () => {
  const screens = new Set(sources.map((path) => `screens/${path.split('/')[2]}`));
  const grouped = Object.values(groups).flat() as string[];
  expect(grouped.filter((folder) => folder.startsWith('screens/')).sort()).toEqual(
    [...screens].sort(),
  );
});

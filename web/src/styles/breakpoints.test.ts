import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { matchesDesktop } from '@/ui/hooks/use-desktop';

it('dishes stand in two columns from 640 px, addresses side by side above 768 px, the desktop begins at 1024 px, wide screens at 1441 px', () => {
  const tokens = readFileSync('src/styles/tokens.css', 'utf8');
  const widths = [...tokens.matchAll(/--breakpoint-(\w+): (\w+);/g)].map(([, name, width]) => [
    name,
    width,
  ]);
  expect(Object.fromEntries(widths)).toEqual({
    tablet: '640px',
    address: '769px',
    product: '769px',
    desktop: '1024px',
    wide: '1441px',
  });
});

it('scripts and styles agree on where the desktop begins', () => {
  const asked = vi.fn((query: string) => ({ matches: query === '(min-width: 1024px)' }));
  vi.stubGlobal('matchMedia', asked);
  expect(matchesDesktop()).toBe(true);
  vi.unstubAllGlobals();
});

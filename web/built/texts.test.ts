import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the build has the texts of every screen in every language', () => {
  const folder = 'dist/assets';
  const scripts = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  const catalogues = readdirSync('src/screens', { recursive: true, encoding: 'utf8' })
    .map((path) => `screens/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.po'));
  expect(catalogues.length).toBeGreaterThan(60);
  const missing = catalogues.filter(
    (path) => !scripts.some((script) => script.includes(`/src/${path}`)),
  );
  expect(missing).toEqual([]);
});

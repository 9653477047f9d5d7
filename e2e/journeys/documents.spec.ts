import { servedDocuments } from '../harness/documents.ts';
import { faultsOfFilled, faultsOfServed } from '../harness/html.ts';
import { desktop } from '../harness/screen.ts';
import { describedIn, faultsOfDescribed, shareOfDescribed } from '../harness/structured-data.ts';
import { expect, test } from '../harness/test.ts';
import { faultsOfW3C } from '../harness/w3c.ts';

test('every document that is served is sound HTML and says to search engines what schema.org knows, in all brands and languages', async ({ program }) => {
  const documents = await servedDocuments(program);
  const wrong = documents.filter(({ name, status }) => status !== (name.includes('nowhere') ? 404 : 200));
  expect(wrong.map(({ name, status }) => `${name}: ${status}`)).toEqual([]);
  const faults = await Promise.all(documents.map(({ name, html }) => faultsOfServed(name, html)));
  expect(faults.flat()).toEqual([]);
  const described = documents.flatMap(({ name, html }) => describedIn(name, html));
  expect(described.length).toBe(documents.filter(({ html }) => html.includes('rel="canonical"')).length);
  const homes = documents.filter(({ html }) => html.includes('"MenuItem"'));
  expect(homes.length).toBe(3);
  for (const { name, html } of homes) expect(shareOfDescribed(html), name).toBeLessThan(0.09);
  expect(faultsOfDescribed(described)).toEqual([]);
});

const jar = process.env.VNU_JAR;

// `make html` names the checker, which takes a Java runtime.
if (jar) {
  test('the W3C checker finds no error and no warning in any document', async ({ program }) => {
    expect(await faultsOfW3C(jar, await servedDocuments(program))).toEqual([]);
  });
}

test.describe('on a desktop', () => {
  test.use(desktop);

  test('inner pages are sound HTML once the page has filled them', async ({ page }) => {
    const faults: string[] = [];
    for (const name of ['promotions', 'delivery', 'shops', 'cart']) {
      await page.goto(`/moscow/${name}`);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      faults.push(...(await faultsOfFilled(name, await page.content())));
    }
    expect(faults).toEqual([]);
  });
});

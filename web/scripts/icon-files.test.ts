import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { drawIcon } from '../src/ui/draw-icon';
import { iconParts, readIndex } from './icon-files';
import { sourceFiles } from './source-files';

/** The names of all icons that the page imports. */
const names = new Set(
  sourceFiles((path) => path.endsWith('.tsx')).flatMap(({ text }) =>
    [...text.matchAll(/^import \{([^}]*)\} from 'lucide-react'/gm)].flatMap(([, list = '']) =>
      list
        .split(',')
        .map((name) => name.trim().split(' as ')[0] ?? '')
        .filter((name) => name && !name.startsWith('type ')),
    ),
  ),
);

it('every icon of the page is drawn as lucide-react draws it', async () => {
  expect(names.size).toBeGreaterThan(40);
  const index = readIndex();
  for (const name of names) {
    const { __iconData: data, default: whole } = await import(
      /* @vite-ignore */ index.get(name) ?? ''
    );
    const props = { 'aria-hidden': true, size: 16, strokeWidth: 1.75, className: 'shrink-0' };
    const drawn = renderToStaticMarkup(createElement(drawIcon(...iconParts(data)), props));
    expect(drawn).toBe(renderToStaticMarkup(createElement(whole, props)));
  }
});

import type { BrowserContext } from '@playwright/test';

/** Takes away what browsers between the floor that README names and today have learnt; runs in the page. */
function forget() {
  const gone: [object | undefined, string[]][] = [
    [URL, ['canParse', 'parse']],
    [Promise, ['withResolvers', 'try']],
    [Object, ['groupBy']],
    [Map, ['groupBy']],
    [Array, ['fromAsync']],
    [Array.prototype, ['toSorted', 'toReversed', 'toSpliced', 'with']],
    [String.prototype, ['isWellFormed', 'toWellFormed']],
    [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']],
    [AbortSignal, ['any', 'timeout']],
    [Element.prototype, ['checkVisibility', 'setHTML']],
    [HTMLElement.prototype, ['inert', 'popover', 'showPopover', 'hidePopover', 'togglePopover']],
    [Document.prototype, ['startViewTransition', 'adoptedStyleSheets']],
    [Navigator.prototype, ['userActivation']],
    [globalThis, ['navigation', 'requestIdleCallback', 'cancelIdleCallback', 'scheduler', 'CompressionStream']],
  ];
  for (const [owner, names] of gone) for (const name of names) Reflect.deleteProperty(owner ?? {}, name);
  // A query in the newer notation (`width >= 40rem`) is not known, so it never matches.
  const ask = matchMedia.bind(globalThis);
  globalThis.matchMedia = (query) => ask(/[<>]/.test(query) ? 'not all' : query);
}

/** What of styles is as new. It gets an unknown name below: a browser skips what it does not know. */
const newStyles = /(?<=\d)[dls]v[hw]\b|:has\(|@container\b|\btranslate:|\binert\b/g;

/** Makes the browser of a context one of spring 2022. */
export async function makeOlder(context: BrowserContext) {
  await context.addInitScript(forget);
  await context.route('**/assets/*.css', async (route) => {
    // The same file by an address that needs no browser to be found.
    const url = new URL(route.request().url());
    url.hostname = '127.0.0.1';
    const response = await route.fetch({ url: url.href });
    const css = await response.text();
    await route.fulfill({ response, body: css.replaceAll(newStyles, (name) => name.replace(/[a-z]/, 'x')) });
  });
}

import type { BrowserContext } from '@playwright/test';

/** Runs in the page. Removes the features that browsers have got since the oldest ones that README names. */
function removeNewFeatures() {
  const newFeatures: [object | undefined, string[]][] = [
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
  for (const [owner, names] of newFeatures) for (const name of names) Reflect.deleteProperty(owner ?? {}, name);
  // An older browser does not know a query in the newer notation (`width >= 40rem`), which then never matches.
  const ask = matchMedia.bind(globalThis);
  globalThis.matchMedia = (query) => ask(/[<>]/.test(query) ? 'not all' : query);
}

/** The features of styles that are as new. They get unknown names below, because a browser skips unknown names. */
const newStyles = /(?<=\d)[dls]v[hw]\b|:has\(|@container\b|\btranslate:|\binert\b/g;

/** Makes the browser of a context behave like one of spring 2022: without newer features of scripts and styles. */
export async function makeOlder(context: BrowserContext) {
  await context.addInitScript(removeNewFeatures);
  await context.route('**/assets/*.css', async (route) => {
    // Names below localhost are known to browsers only.
    const url = new URL(route.request().url());
    url.hostname = '127.0.0.1';
    const response = await route.fetch({ url: url.href });
    const css = await response.text();
    await route.fulfill({ response, body: css.replaceAll(newStyles, (name) => name.replace(/[a-z]/, 'x')) });
  });
}

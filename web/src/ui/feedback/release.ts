import { readInTab, writeInTab } from '@/lib/storage';

const reloadedKey = 'release.reloaded';

/** Reports whether a stored value is a text. */
const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the address of a document's entry script, which differs in each release; null when there is none. */
const entryOf = (page: Document): string | null =>
  page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;

/** Reports whether the site now serves another release than this page's; false when that cannot be found out. */
async function isReplaced(): Promise<boolean> {
  try {
    const answer = await fetch(location.href, {
      headers: { Accept: 'text/html' },
      cache: 'no-store',
    });
    if (!answer.ok) return false;
    const fresh = entryOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    return fresh !== null && fresh !== entryOf(document);
  } catch {
    return false;
  }
}

/**
 * Reloads the page when the site serves another release by now; reports whether it reloads. It reloads at most
 * once per release and tab, because a page that fails again would reload without end.
 */
export async function reloadIfReplaced(): Promise<boolean> {
  const own = entryOf(document);
  if (own === null || readInTab(reloadedKey, isText) === own) return false;
  if (!(await isReplaced())) return false;
  writeInTab(reloadedKey, own);
  if (readInTab(reloadedKey, isText) !== own) return false; // nothing can be stored, so nothing would stop the next reload
  location.reload();
  return true;
}

import type { Schema } from '@/api/types';

/**
 * What the server writes beside the rendered page in `<script type="application/json" id="page-data">`
 * and hands to `renderPage`: the same bytes on both sides, so that the page hydrates without a change.
 */
export type PageData = Schema<'PageData'>;

/**
 * Reports whether the document is stale: the last one from before a change, sent while the next one
 * is made. What it shows has to be loaded again.
 */
export const isStale = (page: Document): boolean =>
  page.getElementById('page-data')?.hasAttribute('data-stale') ?? false;

/** Reads the data of the document; throws when the document has none, for then nothing can be shown. */
export function readPageData(page: Document): PageData {
  const text = page.getElementById('page-data')?.textContent;
  if (!text) throw new Error('the document carries no page data');
  return JSON.parse(text) as PageData;
}

import type { Schema } from '@/api/types';

/**
 * What the server writes beside the rendered page in `<script type="application/json" id="page-data">`
 * and hands to `renderPage`: the same bytes on both sides, so that the page hydrates without a change.
 */
export type PageData = Schema<'PageData'>;

/**
 * Reports whether the document was made before the last change of the content: the server sends it
 * until the next one is ready. Its data must be loaded again.
 */
export const isStale = (page: Document): boolean =>
  page.getElementById('page-data')?.hasAttribute('data-stale') ?? false;

/** Reads the data of the document. It throws when there is none, since nothing can be shown then. */
export function readPageData(page: Document): PageData {
  const text = page.getElementById('page-data')?.textContent;
  if (!text) throw new Error('the document carries no page data');
  return JSON.parse(text) as PageData;
}

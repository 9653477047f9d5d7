import type { Schema } from '@/api/types';

/**
 * The data of a document. The server passes them to `renderPage` and writes them into
 * `<script type="application/json" id="page-data">`, so that the page hydrates with the same data.
 */
export type PageData = Schema<'PageData'>;

/**
 * Reports whether the document was made before the last change of the content, so that its data must be loaded
 * again. The server sends such a document until the next one is ready.
 */
export const isStale = (page: Document): boolean =>
  page.getElementById('page-data')?.hasAttribute('data-stale') ?? false;

/** Reads the data of the document. It throws when there is none, since nothing can be shown then. */
export function readPageData(page: Document): PageData {
  const text = page.getElementById('page-data')?.textContent;
  if (!text) throw new Error('the document carries no page data');
  return JSON.parse(text) as PageData;
}

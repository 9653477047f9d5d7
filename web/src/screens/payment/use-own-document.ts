import { useEffect, useState } from 'react';

/** Returns the path from which the tab's document was loaded; undefined when the browser does not report it. */
function documentPath(): string | undefined {
  const [entry] = performance.getEntriesByType?.('navigation') ?? [];
  try {
    return entry && new URL(entry.name).pathname;
  } catch {
    return undefined;
  }
}

/** Reports whether a document may show the frames of banks: only the payment page's may. */
const isForPaying = (path: string) => path.includes('/order/payment/');

/**
 * Returns whether the page has its own document, which may show the frames of banks. Back may lead here within
 * the document of another page; then the hook returns false and loads the page again.
 */
export function useOwnDocument(): boolean {
  const [isOwn, setOwn] = useState(false);
  useEffect(() => {
    const path = documentPath();
    if (path === undefined || isForPaying(path)) setOwn(true);
    else location.reload();
  }, []);
  return isOwn;
}

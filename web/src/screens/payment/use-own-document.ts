import { useEffect, useState } from 'react';

/** Returns where the document of this tab was loaded from; undefined where the browser does not say. */
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
 * Ensures that the page has a document of its own, which may show the frames of banks. Back may lead
 * here within the document of another page; then the page is loaded again. It returns false until then.
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

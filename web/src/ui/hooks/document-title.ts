import { useEffect } from 'react';

/** Sets the title of the document. The server sets that of the first page. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

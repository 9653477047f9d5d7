import { useEffect } from 'react';

/** Names the document while the component is shown; the first document's name comes from the server. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

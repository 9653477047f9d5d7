import { useLingui } from '@lingui/react/macro';
import { useDocumentTitle } from '@/ui/hooks/document-title';
import { useSite } from './context';

/** Names the document after the page and the brand, as the server does; `where` is the city as in "in Moscow". */
export function usePageTitle(title: string, where?: string): void {
  const { t } = useLingui();
  const brand = useSite().name;
  const inCity = t({ id: 'site.title-in-city', message: `${title} — ${brand} ${where}` });
  const outside = t({ id: 'site.title', message: `${title} — ${brand}` });
  useDocumentTitle(where === undefined ? outside : inCity);
}

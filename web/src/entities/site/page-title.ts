import { useLingui } from '@lingui/react/macro';
import { useDocumentTitle } from '@/ui/hooks/document-title';
import { useSite } from './context';

/** Sets the title of the document to page and brand, as the server does. `where` is the city, such as "in Moscow". */
export function usePageTitle(title: string, where?: string): void {
  const { t } = useLingui();
  const brand = useSite().name;
  const inCity = t({ id: 'site.title-in-city', message: `${title} — ${brand} ${where}` });
  const outside = t({ id: 'site.title', message: `${title} — ${brand}` });
  useDocumentTitle(where === undefined ? outside : inCity);
}

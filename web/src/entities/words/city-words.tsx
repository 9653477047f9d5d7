import { useQuery } from '@tanstack/react-query';
import { useCity } from '@/entities/city/context';
import { wordsQuery } from './queries';
import { WordSections } from './word-sections';

/** The brand's words on a page of the program's own; nothing where the brand has none. */
export function CityWords({ alias }: { alias: string }) {
  const { id, pages } = useCity();
  const hasWords = pages.some((page) => page.alias === alias);
  const { data } = useQuery({ ...wordsQuery(alias, id), enabled: hasWords });
  return data && <WordSections sections={data.sections} />;
}

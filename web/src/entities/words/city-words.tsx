import { useQuery } from '@tanstack/react-query';
import { useCity } from '@/entities/city/context';
import { wordsQuery } from './queries';
import { WordSections } from './word-sections';

/** The brand's own text on one of the program's pages; nothing when the brand has none for it. */
export function CityWords({ alias }: { alias: string }) {
  const { id, pages } = useCity();
  const hasWords = pages.some((page) => page.alias === alias);
  const { data } = useQuery({ ...wordsQuery(alias, id), enabled: hasWords });
  return data && <WordSections sections={data.sections} />;
}

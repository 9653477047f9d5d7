import { WordsPage } from '@/screens/words/words-page';
import { NotFoundPage } from '../not-found-page';

/** A page of the brand's own words. */
export default function WordsOfBrand() {
  return <WordsPage missing={<NotFoundPage />} />;
}

import { fold } from '@/lib/fold';
import { piecesOf } from './fold';

interface MarkedProps {
  text: string;
  /** Folded words to be marked. */
  words: ReadonlySet<string>;
}

/** A text in which the found words are marked. */
export function Marked({ text, words }: MarkedProps) {
  return piecesOf(text).map((piece, place) => {
    if (!words.has(fold(piece))) return piece;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
      <mark key={place} className="rounded-[3px] bg-tint text-on-tint">
        {piece}
      </mark>
    );
  });
}

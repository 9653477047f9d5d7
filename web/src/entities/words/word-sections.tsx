import type { Schema } from '@/api/types';
import { RichText } from '@/ui/rich-text';

/** The sections of a page of the brand's words. */
export function WordSections({ sections }: { sections: readonly Schema<'PageSection'>[] }) {
  return (
    <div className="grid max-w-[68ch] grid-cols-1 gap-6 wrap-break-word">
      {sections.map(({ heading, text, lang }) => (
        <section key={heading ?? text} lang={lang}>
          {heading && <h2 className="mb-2 title text-title">{heading}</h2>}
          <RichText html={text} />
        </section>
      ))}
    </div>
  );
}

import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: ReactNode;
  /** Small words under the title. */
  note?: ReactNode;
  children: ReactNode;
}

/** A section of the profile with its title, on a card. */
export function Section({ title, note, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-card bg-surface p-4 desktop:p-6">
      <h2 id={id} className="title text-lead">
        {title}
      </h2>
      {note && <p className="mt-1 text-note text-ink-soft">{note}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}

import type { ReactNode } from 'react';

/** A named group of parts on the development page. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-10">
      <h2 className="title text-title">{title}</h2>
      <div className="mt-3 flex flex-wrap items-start gap-4">{children}</div>
    </section>
  );
}

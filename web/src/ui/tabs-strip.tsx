import { type ReactNode, useEffect, useRef } from 'react';
import { classes } from './classes';

interface TabsStripProps {
  /** The name of the strip for screen readers. */
  label: string;
  tabs: readonly { id: string; label: ReactNode; href: string }[];
  current: string | undefined;
  /** Called for a press on a tab instead of following the link. */
  onSelect?: (id: string) => void;
}

/** A row of links that scrolls sideways and keeps the current tab in its middle. */
export function TabsStrip({ label, tabs, current, onSelect }: TabsStripProps) {
  const row = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (!tab || !row.current || current === undefined) return;
    const left = tab.offsetLeft - (row.current.clientWidth - tab.offsetWidth) / 2;
    row.current.scrollTo({ left, behavior: 'smooth' });
  }, [current]);
  return (
    <nav aria-label={label} className="min-w-0">
      <ul ref={row} className="relative flex gap-1 overflow-x-auto bare-scrollbar">
        {tabs.map((tab) => (
          <li key={tab.id} className="shrink-0">
            <a
              href={tab.href}
              aria-current={tab.id === current ? 'true' : undefined}
              onClick={(event) => {
                // With a modifier key the browser opens the link in a new tab or window.
                const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
                if (!onSelect || !isPlain) return;
                event.preventDefault();
                onSelect(tab.id);
              }}
              className={classes(
                'flex min-h-11 items-center rounded-chip px-3.5 whitespace-nowrap -outline-offset-2',
                tab.id === current ? 'bg-ink text-ground strong' : 'text-ink hover:bg-raised',
              )}
            >
              {tab.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

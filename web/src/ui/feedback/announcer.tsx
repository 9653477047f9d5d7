import { useSyncExternalStore } from 'react';
import { createStore } from '@/lib/store';

const spoken = createStore({ text: '', turn: 0 });
const silence = spoken.get();

/** Announces a text to screen readers once: a new count, a total, a status. */
export function announce(text: string): void {
  spoken.set({ text, turn: spoken.get().turn + 1 });
}

/** Removes an announcement that is no longer true. One that has replaced it stays. */
export function removeAnnouncement(text: string): void {
  const { text: last, turn } = spoken.get();
  if (last === text) spoken.set({ text: '', turn });
}

/** The region that is read aloud. Rendered once by the app. */
export function Announcer() {
  const { text, turn } = useSyncExternalStore(spoken.subscribe, spoken.get, () => silence);
  // Two places in turn, so that the same words are read again.
  return (
    <div aria-live="polite" className="sr-only">
      <p>{turn % 2 === 0 && text}</p>
      <p>{turn % 2 === 1 && text}</p>
    </div>
  );
}

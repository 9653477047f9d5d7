import { useSyncExternalStore } from 'react';
import { createStore } from '@/lib/store';

const spoken = createStore({ text: '', turn: 0 });
const silence = spoken.get();

/** Has screen readers read a text once, such as a new total. */
export function announce(text: string): void {
  spoken.set({ text, turn: spoken.get().turn + 1 });
}

/** Removes an announcement that is no longer true, unless a newer announcement has replaced it. */
export function removeAnnouncement(text: string): void {
  const { text: last, turn } = spoken.get();
  if (last === text) spoken.set({ text: '', turn });
}

/** The region whose changes screen readers read. Rendered once by the app. */
export function Announcer() {
  const { text, turn } = useSyncExternalStore(spoken.subscribe, spoken.get, () => silence);
  // The text alternates between two elements, so that the same text is read again.
  return (
    <div aria-live="polite" className="sr-only">
      <p>{turn % 2 === 0 && text}</p>
      <p>{turn % 2 === 1 && text}</p>
    </div>
  );
}

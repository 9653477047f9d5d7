import { createStore } from '@/lib/store';

export type FlashTone = 'info' | 'success' | 'warning' | 'error';

/** A short message over the page. */
export interface FlashMessage {
  id: number;
  text: string;
  tone: FlashTone;
  /** A way back, for example of a removed line. */
  action?: { label: string; run: () => void };
}

/** How long a message stays, in milliseconds; it waits while it is pointed at or focused. */
export const flashTime = 5000;

export const flashes = createStore<readonly FlashMessage[]>([]);

let lastId = 0;

/** How many earlier messages stay beside a new one. */
const keptFlashes = 2;

/** Shows a message for five seconds, in place of one with the same text, and returns its id. */
export function flash(
  text: string,
  { tone = 'info', action }: Partial<Pick<FlashMessage, 'tone' | 'action'>> = {},
): number {
  lastId += 1;
  const others = flashes.get().filter((message) => message.text !== text);
  flashes.set([...others.slice(-keptFlashes), { id: lastId, text, tone, action }]);
  return lastId;
}

/** Takes a message away before its time. */
export function dismissFlash(id: number): void {
  flashes.set(flashes.get().filter((message) => message.id !== id));
}

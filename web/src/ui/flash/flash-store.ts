import { createStore } from '@/lib/store';

export type FlashTone = 'info' | 'success' | 'warning' | 'error';

/** A short message over the page. */
export interface FlashMessage {
  id: number;
  text: string;
  tone: FlashTone;
  /** A button on the message, for example to undo. */
  action?: { label: string; run: () => void };
}

/** How long a message stays, in milliseconds, not counting the time under the pointer or the focus. */
export const flashTime = 5000;

export const flashes = createStore<readonly FlashMessage[]>([]);

let lastId = 0;

/** How many earlier messages stay beside a new one. */
const keptFlashes = 2;

/**
 * Shows a message for five seconds and returns its id. It replaces a message with the same text; at most two
 * earlier messages stay.
 */
export function flash(
  text: string,
  { tone = 'info', action }: Partial<Pick<FlashMessage, 'tone' | 'action'>> = {},
): number {
  lastId += 1;
  const others = flashes.get().filter((message) => message.text !== text);
  flashes.set([...others.slice(-keptFlashes), { id: lastId, text, tone, action }]);
  return lastId;
}

/** Removes a message. */
export function dismissFlash(id: number): void {
  flashes.set(flashes.get().filter((message) => message.id !== id));
}

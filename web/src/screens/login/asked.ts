import type { Schema } from '@/api/types';

type Verification = Schema<'Verification'>;
type Channel = Schema<'CodeChannel'>;

/** A code that was requested: its state on the server, and when that was read. */
export interface Asked {
  shown: Verification;
  /** Milliseconds since 1970. */
  at: number;
}

/** Returns when another code can be requested, in milliseconds since 1970. */
export const resendAt = ({ shown, at }: Asked) => at + shown.timer * 1000;

/** Returns when the code expires, in milliseconds since 1970. */
export const expiresAt = ({ shown, at }: Asked) => at + shown.expires_in * 1000;

/** Reports whether the code can no longer be entered, so that another one has to be requested. */
export const isUsedUp = (asked: Asked, now: number) =>
  asked.shown.tries_left <= 0 || expiresAt(asked) <= now;

/** Returns the channels that deliver a code, in the site's order; VK ID, which needs none, is left out. */
export const codeChannels = (channels: readonly Channel[]): Channel[] =>
  channels.filter((channel) => channel !== 'vk');

/**
 * Returns the digits of a code in what was typed or pasted. A run of digits that is as long as the
 * code is preferred, so that a whole message can be pasted.
 */
export function codeIn(text: string, length: number): string {
  const run = text.match(/\d+/g)?.find((digits) => digits.length === length);
  return run ?? text.replace(/\D/g, '').slice(0, length);
}

/** Writes seconds as minutes and seconds: 1:05. */
export function clockText(seconds: number): string {
  const overMinutes = String(seconds % 60).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${overMinutes}`;
}

import type { Schema } from '@/api/types';

type Verification = Schema<'Verification'>;
type Channel = Schema<'CodeChannel'>;

/** A code that was asked for: what the server says of it, and when it said so. */
export interface Asked {
  shown: Verification;
  /** Milliseconds since 1970. */
  at: number;
}

/** When another code can be asked for, in milliseconds since 1970. */
export const resendAt = ({ shown, at }: Asked) => at + shown.timer * 1000;

/** When the code is too old, in milliseconds since 1970. */
export const expiresAt = ({ shown, at }: Asked) => at + shown.expires_in * 1000;

/** Whether the code can no longer be entered: another one has to be asked for. */
export const isUsedUp = (asked: Asked, now: number) =>
  asked.shown.tries_left <= 0 || expiresAt(asked) <= now;

/** The ways that bring a code, in the site's order; VK ID signs in by itself. */
export const codeChannels = (channels: readonly Channel[]): Channel[] =>
  channels.filter((channel) => channel !== 'vk');

/**
 * The digits of a code in whatever was typed or pasted: a run that is just as long as the code wins,
 * so that a whole message can be pasted.
 */
export function codeIn(text: string, length: number): string {
  const run = text.match(/\d+/g)?.find((digits) => digits.length === length);
  return run ?? text.replace(/\D/g, '').slice(0, length);
}

/** Seconds as a clock shows them: 1:05. */
export function clockText(seconds: number): string {
  const overMinutes = String(seconds % 60).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${overMinutes}`;
}

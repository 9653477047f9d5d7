import type { Result } from './result';

/**
 * Decides after each answer, counted from 1: how long to wait before the same request goes out again,
 * in milliseconds, or undefined when the answer is final.
 */
export type RetryPolicy = (result: Result<unknown>, attempts: number) => number | undefined;

interface Repeating {
  policy: RetryPolicy;
  /** Called once, when the first answer was lost. */
  onUncertain?: () => void;
  /** Waits between two attempts. `milliseconds` is the longest wait; it may end sooner. */
  wait?: (milliseconds: number) => Promise<void>;
  /** Reports whether the answer is of no use any more. */
  isAbandoned?: () => boolean;
}

/**
 * Sends a request again until its outcome is known. `send` must send the very same request each
 * time, with the same idempotency key, so that the server counts all copies as one.
 */
export async function repeatUntilKnown<T>(
  send: () => Promise<Result<T>>,
  { policy, onUncertain, wait = untilOnline, isAbandoned = () => false }: Repeating,
): Promise<Result<T>> {
  for (let attempts = 1; ; attempts += 1) {
    const result = await send();
    const pause = policy(result, attempts);
    if (pause === undefined || isAbandoned()) return result;
    if (attempts === 1) onUncertain?.();
    await wait(pause);
    if (isAbandoned()) return result;
  }
}

/** How many unexpected faults of the server are taken for its final answer. */
const maxFaults = 3;

/**
 * Returns a policy of exponential backoff, from a second up to `longest` milliseconds. It counts
 * faults of the server, so make one for each request.
 */
export function backoff(longest: number): RetryPolicy {
  let faults = 0;
  return (result, attempts) => {
    const pause = Math.min(longest, 1000 * 2 ** (attempts - 1));
    switch (result.kind) {
      case 'server':
        faults += 1;
        return faults < maxFaults ? pause : undefined;
      case 'offline':
      case 'unavailable':
        return pause;
      case 'tooMany':
        // As the first answer this is a plain refusal. After a lost one the repeat came too soon.
        return attempts > 1 ? Math.max(pause, result.retryAfter * 1000) : undefined;
      default:
        return undefined;
    }
  };
}

/** Returns a policy with the same pause after each lost or postponed answer, unless the server names another. */
export function steadyPause(pause: number): RetryPolicy {
  return (result) => {
    switch (result.kind) {
      case 'offline':
        return pause;
      case 'unavailable':
        return result.retryAfter === undefined ? pause : result.retryAfter * 1000;
      case 'tooMany':
        return result.retryAfter * 1000;
      default:
        return undefined;
    }
  };
}

/** Waits so long, or until the network is back. */
function untilOnline(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
  });
}

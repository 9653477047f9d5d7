import type { Result } from './result';

/**
 * Returns, after each answer, how many milliseconds to wait before the same request is sent again;
 * undefined when the answer is final. `attempts` counts from 1.
 */
export type RetryPolicy = (result: Result<unknown>, attempts: number) => number | undefined;

interface RepeatOptions {
  policy: RetryPolicy;
  /** Called once, when the first attempt has no final answer. */
  onUncertain?: () => void;
  /** Waits between two attempts. `milliseconds` is the longest wait; it may end sooner. */
  wait?: (milliseconds: number) => Promise<void>;
  /** Reports whether the answer is of no use any more. */
  isAbandoned?: () => boolean;
}

/**
 * Sends a request until the policy accepts its result as final or the answer is abandoned, and resolves to the last
 * result. `send` must send the same request with the same idempotency key each time, so that the server counts all
 * copies as one.
 */
export async function repeatUntilKnown<T>(
  send: () => Promise<Result<T>>,
  { policy, onUncertain, wait = untilOnline, isAbandoned = () => false }: RepeatOptions,
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

/** After this many unexpected faults of the server, the last one is the final answer. */
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
        // A first answer is a plain refusal. A later one says that the repeat came too soon, unless it lasts
        // longer than any pause: then it refuses what the lost request asked for.
        return attempts > 1 && result.retryAfter * 1000 <= longest
          ? Math.max(pause, result.retryAfter * 1000)
          : undefined;
      default:
        return undefined;
    }
  };
}

/**
 * The policy of a call for which the customer is waiting, and of which two have the effect of one: it is sent up to
 * three times, a second apart, while its answer is lost. Longer without a network, the customer presses again.
 */
export const repeatLost: RetryPolicy = ({ kind }, attempts) =>
  kind === 'offline' && attempts < 3 ? 1000 : undefined;

/** Returns a policy with the same pause after each lost or postponed answer, unless the server sets one. */
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

/** Waits for the given time, or until the network is back. */
function untilOnline(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener('online', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    addEventListener('online', finish);
  });
}

import { describe, expect, it, vi } from 'vitest';
import type { Result } from './result';
import { backoff, type RetryPolicy, repeatLost, repeatUntilKnown, steadyPause } from './retry';

const ok = { kind: 'ok', data: 1 } as const;
const offline = { kind: 'offline' } as const;
const fault = { kind: 'server', message: '' } as const;
const limit = { kind: 'tooMany', message: '', retryAfter: 40 } as const;

/**
 * Repeats a request that gets `answers` in turn and then `ok`; returns its result, the pauses, and the uncertain
 * calls.
 */
async function replay(policy: RetryPolicy, answers: Result<number>[], isAbandoned?: () => boolean) {
  const pauses: number[] = [];
  const onUncertain = vi.fn();
  const result = await repeatUntilKnown(async () => answers.shift() ?? ok, {
    policy,
    onUncertain,
    isAbandoned,
    wait: async (milliseconds) => void pauses.push(milliseconds),
  });
  return { result, pauses, uncertain: onUncertain.mock.calls.length };
}

describe('a request that is repeated until its outcome is known', () => {
  it('backs off up to the longest pause and is uncertain once', async () => {
    const lost = Array.from({ length: 5 }, () => offline);
    const pauses = [1000, 2000, 4000, 8000, 10_000];
    expect(await replay(backoff(10_000), lost)).toEqual({ result: ok, pauses, uncertain: 1 });
  });

  it('ends with the third fault of the server', async () => {
    expect(await replay(backoff(10_000), [fault, offline, fault, fault])).toMatchObject({
      result: fault,
      pauses: [1000, 2000, 4000],
    });
  });

  it('is sent three times while its answer is lost, and once when it is refused', async () => {
    const lost = [offline, offline, offline];
    expect(await replay(repeatLost, lost)).toMatchObject({ result: offline, pauses: [1000, 1000] });
    expect(await replay(repeatLost, [offline])).toMatchObject({ result: ok, pauses: [1000] });
    expect(await replay(repeatLost, [fault])).toMatchObject({ result: fault, pauses: [] });
  });

  it('waits out a limit only after an answer was lost', async () => {
    expect(await replay(backoff(10_000), [limit])).toMatchObject({ result: limit, pauses: [] });
    expect((await replay(backoff(40_000), [offline, limit])).pauses).toEqual([1000, 40_000]);
  });

  it('takes a limit as final that lasts longer than the longest pause', async () => {
    expect(await replay(backoff(39_000), [offline, limit])).toMatchObject({
      result: limit,
      pauses: [1000],
    });
  });

  it('pauses steadily unless the server names another pause', async () => {
    const busy = { kind: 'unavailable', message: '', retryAfter: 7 } as const;
    const { pauses } = await replay(steadyPause(3000), [offline, limit, offline, busy]);
    expect(pauses).toEqual([3000, 40_000, 3000, 7000]);
    expect((await replay(steadyPause(3000), [fault])).result).toBe(fault);
  });

  it('ends when its answer is of no use any more', async () => {
    const isAbandoned = vi.fn().mockReturnValueOnce(false).mockReturnValue(true);
    expect(await replay(backoff(10_000), [offline, ok], isAbandoned)).toMatchObject({
      result: offline,
      pauses: [1000],
    });
  });

  it('goes out again as soon as the network is back', async () => {
    const answers: Result<number>[] = [offline];
    const send = async () => answers.shift() ?? ok;
    const done = repeatUntilKnown(send, {
      policy: steadyPause(60_000),
      onUncertain: () => queueMicrotask(() => dispatchEvent(new Event('online'))),
    });
    expect(await done).toBe(ok);
  });
});

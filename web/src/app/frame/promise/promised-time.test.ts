import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { makeInterval, makeTimes } from '@/testing/orders';
import { promisedTime } from './promised-time';

describe('the promised time', () => {
  const soonest = (minutes: number) =>
    makeInterval({ start_timestamp: minutes * 60, end_timestamp: (minutes + 12) * 60 });
  const promised = (interval: Schema<'Interval'>) =>
    promisedTime(makeTimes({ now: 0, intervals: [interval] }), undefined);

  it('is rounded up to five minutes', () => {
    expect(promised(soonest(22))).toEqual({ kind: 'minutes', from: 25, to: 35 });
  });

  it('is a time of the clock when it is hours away', () => {
    expect(promised(soonest(108))).toMatchObject({ kind: 'minutes', to: 120 });
    expect(promised(soonest(109))).toMatchObject({ kind: 'time' });
  });

  it('is that of the first time that is available', () => {
    const taken = makeInterval({ disabled: true });
    const free = makeInterval({ id: 'slot', asap: false });
    const times = makeTimes({ intervals: [taken, free] });
    expect(promisedTime(times, undefined)).toEqual({ kind: 'time', interval: free });
    expect(promisedTime(makeTimes({ intervals: [taken] }), undefined)).toBeUndefined();
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { noteServerClock } from '@/api/server-clock';
import { type CourierReport, courierFacts } from './order-state';
import { restOfRoute } from './rest-of-route';

const minute = 60_000;
const start = Date.parse('2026-11-21T18:00:00Z');
const at = { latitude: 52.5, longitude: 13.4 };

/** A report some minutes after the start, of a courier who is there since the start. */
const reported = (after: number, more: Partial<CourierReport> = {}): CourierReport => ({
  at,
  reportedAt: new Date(start + after * minute).toISOString(),
  stillSince: new Date(start).toISOString(),
  ...more,
});

afterEach(() => noteServerClock(new Response()));

describe('what is said of the courier', () => {
  it('counts the minutes of the operator down, and is silent when they are old or over', () => {
    const report = reported(0, { minutes: 4 });
    expect(courierFacts(report, start).minutes).toBe(4);
    expect(courierFacts(report, start + 3 * minute).minutes).toBe(1);
    expect(courierFacts(report, start + 4 * minute).minutes).toBeUndefined();
    expect(courierFacts(reported(0, { minutes: 20 }), start + 5 * minute).minutes).toBeUndefined();
    expect(courierFacts(reported(0), start).minutes).toBeUndefined();
  });

  it('shows a courier who has stood for ten minutes as standing, and says no minutes', () => {
    const moving = courierFacts(reported(9, { minutes: 4 }), start + 9 * minute);
    expect(moving).toMatchObject({ isMoving: true, stood: undefined, minutes: 4 });
    const standing = courierFacts(reported(10, { minutes: 4 }), start + 10 * minute);
    expect(standing).toMatchObject({ isMoving: false, stood: 10, minutes: undefined });
  });

  it('does not show a courier as moving who has not been heard of for ten minutes', () => {
    const silent = courierFacts(reported(1), start + 11 * minute);
    expect(silent).toEqual({ isMoving: false, age: 10 });
  });

  it('is counted by the clock of the server where that of the device is wrong', () => {
    const hourAgo = new Date(Date.now() - 60 * minute).toUTCString();
    noteServerClock(new Response(null, { headers: { Date: hourAgo } }));
    const facts = courierFacts(reported(2, { minutes: 4 }), start + 63.5 * minute);
    expect(facts).toMatchObject({ isMoving: true, age: 1, minutes: 3 });
    const standing = courierFacts(reported(12), start + 73.5 * minute);
    expect(standing).toMatchObject({ isMoving: false, stood: 12 });
  });
});

describe('rest of the route', () => {
  const route = [
    [52.5, 13.4],
    [52.51, 13.4],
    [52.51, 13.42],
  ];

  it('begins where the courier is', () => {
    expect(restOfRoute(route, { latitude: 52.505, longitude: 13.4005 })).toEqual([
      [52.505, 13.4005],
      ...route.slice(1),
    ]);
    expect(restOfRoute(route, { latitude: 52.5101, longitude: 13.41 })).toHaveLength(2);
  });

  it('is the whole route for a courier beside it', () => {
    expect(restOfRoute(route, { latitude: 52.52, longitude: 13.43 })).toEqual(route);
  });
});

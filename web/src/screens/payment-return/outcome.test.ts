import { afterEach, describe, expect, it } from 'vitest';
import { noteServerClock } from '@/api/server-clock';
import { makePayment } from '@/testing/payments';
import { outcomeOf } from './outcome';

const until = Date.parse(makePayment().pay_until);

const hour = 3_600_000;

/** Returns a response with a date, of whole seconds. */
const responseAt = (now: number) =>
  new Response(null, { headers: { Date: new Date(now).toUTCString() } });

afterEach(() => noteServerClock(new Response()));

describe('the end of a payment', () => {
  it.each([
    ['unfinished', 'waiting', 'waiting_for_payment', until - 1],
    ['unfinished', 'pending', 'waiting_for_payment', until - 1],
    ['late', 'pending', 'waiting_for_payment', until],
    ['late', 'waiting', 'waiting_for_payment', until],
    ['late', 'canceled', 'canceled', until + 1],
    ['canceled', 'canceled', 'canceled', until - 1],
    ['checking', 'checking', 'waiting_for_payment', until + 1],
    ['paid', 'paid', 'accepted', until + 1],
    ['kept', 'paid', 'canceled', until + 1],
    ['given-back', 'refunding', 'canceled', until + 1],
    ['given-back', 'refunded', 'canceled', until + 1],
  ] as const)('is %s when the money is %s and the order %s', (outcome, state, status, now) => {
    expect(outcomeOf(makePayment({ state, status }), now)).toBe(outcome);
  });

  it('is a failure only of the last attempt, not of one begun since', () => {
    const problem = { reason: 'bank_declined' as const, message: 'The bank said no.' };
    expect(outcomeOf(makePayment({ problem }), until - 1)).toBe('failed');
    expect(outcomeOf(makePayment({ state: 'pending', problem }), until - 1)).toBe('unfinished');
  });

  it('follows the clock of the server where that of the device is wrong', () => {
    const now = Date.now();
    const leftOnServer = (milliseconds: number) =>
      makePayment({ pay_until: new Date(now + hour + milliseconds).toISOString() });
    noteServerClock(responseAt(now + hour));
    expect(outcomeOf(leftOnServer(60_000), now)).toBe('unfinished');
    expect(outcomeOf(leftOnServer(-60_000), now)).toBe('late');
    noteServerClock(responseAt(now - hour));
    expect(outcomeOf(leftOnServer(60_000 - 2 * hour), now)).toBe('unfinished');
  });

  it('is not known without an order', () => {
    expect(outcomeOf(undefined)).toBe('unknown');
  });
});

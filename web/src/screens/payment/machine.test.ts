import { describe, expect, it } from 'vitest';
import { makeNext, makePayment, makePaymentType } from '@/testing/payments';
import {
  type Arrival,
  begin as beginMachine,
  type Event,
  isUnderway as isViewUnderway,
  type Machine,
  type Payment,
  paymentAfter,
  reduce,
  viewOf as viewOfMachine,
} from './machine';

/** A visit to the page: the payment as the cache has it, and the machine beside it. */
interface Visit extends Machine {
  payment: Payment;
}

const begin = (payment: Payment, arrival: Arrival): Visit => ({
  ...beginMachine(payment, arrival),
  payment,
});
const applyEvent = (visit: Visit, event: Event): Visit => ({
  ...reduce(visit, event, visit.payment),
  payment: paymentAfter(visit.payment, event),
});
const applyEvents = (visit: Visit, ...events: Event[]) => events.reduce(applyEvent, visit);
const viewOf = (visit: Visit) => viewOfMachine(visit, visit.payment);
const isUnderway = (visit: Visit) => isViewUnderway(viewOf(visit));
const updated = (own: Partial<Payment>): Event => ({
  kind: 'serverUpdated',
  payment: makePayment(own),
});
const answered = (...next: Parameters<typeof makeNext>): Event => ({
  kind: 'answered',
  next: makeNext(...next),
});
const fresh = (own: Partial<Payment> = {}) => begin(makePayment(own), 'first');
const toBank = answered('approved-new', { form_url: 'https://bank.example/1' });

const problem = { reason: 'bank_declined' as const, message: 'The bank said no' };

describe('an arrival', () => {
  it('from the checkout is to start', () => {
    expect(fresh().wantsStart).toBe(true);
  });

  it.each(['again', 'back', 'failed'] as const)(
    'that is no first one (%s) starts nothing',
    (how) => {
      expect(begin(makePayment(), how).wantsStart).toBe(false);
    },
  );

  it('after a failed attempt starts nothing', () => {
    expect(fresh({ problem }).wantsStart).toBe(false);
  });

  it('at an attempt that another tab began starts nothing, and offers to continue', () => {
    const machine = fresh({ state: 'pending', next: makeNext('approved-new') });
    expect(machine.wantsStart).toBe(false);
    expect(viewOf(machine).kind).toBe('act');
  });

  it('by a reload during an attempt offers to continue at once', () => {
    const machine = begin(
      makePayment({ state: 'pending', next: makeNext('approved-new') }),
      'again',
    );
    expect(viewOf(machine).kind).toBe('act');
  });

  it('from the bank polls, and lets the customer continue there at once', () => {
    const next = makeNext('approved-new');
    const machine = begin(makePayment({ state: 'pending', next }), 'back');
    expect(viewOf(machine)).toEqual({ kind: 'checking', isLong: false, next });
    expect(viewOf(applyEvents(machine, { kind: 'freshWindowEnded' })).kind).toBe('act');
  });
});

describe('an active attempt', () => {
  const at = (own: Partial<Payment>, ...events: Event[]) =>
    viewOf(applyEvents(begin(makePayment({ state: 'pending', ...own }), 'back'), ...events)).kind;

  it('that failed on the bank’s page can be begun again', () => {
    expect(at({ next: makeNext('approved-new'), problem })).toBe('offer');
  });

  it('that waits for the card shows the form', () => {
    expect(at({ next: makeNext('pre-auth', { verify_param: 'x' }) })).toBe('offer');
  });

  it('with a code or a push shows it at once after coming back', () => {
    expect(at({ next: makeNext('sbp-mobile', { qr_code: 'x' }) })).toBe('act');
    expect(at({ next: makeNext('push') })).toBe('act');
  });
});

describe('an attempt', () => {
  it('is sent once, however often the button is pressed', () => {
    const sending = applyEvents(fresh(), { kind: 'sent' });
    expect(reduce(sending, { kind: 'sent' }, sending.payment)).toBe(sending);
  });

  it('whose answer is lost is still under way, not failed', () => {
    const machine = applyEvents(fresh(), { kind: 'sent' }, { kind: 'responseLost' }, updated({}));
    expect(viewOf(machine)).toEqual({ kind: 'sending', isLost: true });
  });

  it('whose outcome is unknown is checked, until the server says that nothing was begun', () => {
    const unknown = applyEvents(
      fresh(),
      { kind: 'sent' },
      { kind: 'outcomeUnknown', message: 'Try again' },
    );
    expect(viewOf(unknown)).toEqual({ kind: 'checking', isLong: false });
    const offered = applyEvents(unknown, updated({}));
    expect(viewOf(offered).kind).toBe('offer');
    expect(offered.refusal?.message).toBe('Try again');
  });

  it('that is refused brings the form back with the reasons', () => {
    const refusal = { message: 'No', fields: { card_cvc: 'Check the code' } };
    const machine = applyEvents(fresh(), { kind: 'sent' }, { kind: 'refused', refusal });
    expect(viewOf(machine).kind).toBe('offer');
    expect(machine.refusal).toEqual(refusal);
    expect(applyEvents(machine, { kind: 'sent' }).refusal).toBeUndefined();
  });

  it('that turns out to be paid ends, whatever the tab is doing', () => {
    for (const before of [
      applyEvents(fresh(), { kind: 'sent' }),
      applyEvents(fresh(), toBank),
      applyEvents(fresh(), answered('3ds', { is_framed: true })),
    ]) {
      const machine = applyEvents(before, updated({ state: 'paid' }));
      expect(viewOf(machine)).toEqual({ kind: 'paid' });
      expect(machine.act.kind).toBe('none');
    }
  });

  it('to be made at the bank leads there', () => {
    expect(viewOf(applyEvents(fresh(), { kind: 'sent' }, toBank)).kind).toBe('leaving');
  });

  it('to be confirmed in an app waits for the customer', () => {
    expect(viewOf(applyEvents(fresh(), answered('sbp-mobile', { qr_code: 'x' }))).kind).toBe('act');
    expect(viewOf(applyEvents(fresh(), answered('push'))).kind).toBe('act');
  });

  it.each(['approved', 'checking'] as const)('answered %s is polled', (reason) => {
    expect(viewOf(applyEvents(fresh(), answered(reason)))).toEqual({
      kind: 'checking',
      isLong: false,
    });
  });
});

describe('an attempt whose answer was lost', () => {
  it('can be resumed as soon as it is found', () => {
    const lost = applyEvents(fresh(), { kind: 'sent' }, answered('checking'));
    const found = applyEvents(lost, updated({ state: 'pending', next: makeNext('approved-new') }));
    expect(viewOf(found).kind).toBe('act');
  });
});

describe('coming back to the page from the browser’s cache', () => {
  it('does not lead to the bank again', () => {
    const machine = applyEvents(fresh(), { kind: 'sent' }, toBank, { kind: 'returned' });
    expect(viewOf(machine).kind).toBe('act');
    expect(viewOf(applyEvents(machine, updated({ problem }))).kind).toBe('offer');
  });
});

describe('3-D Secure', () => {
  const introducing = answered('3ds-v2', {
    threeDS: { threeDSMethodURL: 'https://bank.example/method', threeDSMethodData: 'x' },
  });
  const challenge = makeNext('3ds-v2', { cReq: 'creq', AcsUrl: 'https://bank.example/acs' });

  it('of the first version is shown in a frame where possible, otherwise in place of the page', () => {
    expect(viewOf(applyEvents(fresh(), answered('3ds', { is_framed: true }))).kind).toBe(
      'challenging',
    );
    expect(viewOf(applyEvents(fresh(), answered('3ds'))).kind).toBe('leaving');
  });

  it('of the second version introduces the browser, polls, and shows the bank’s challenge when there is one', () => {
    const machine = applyEvents(fresh(), introducing);
    expect(viewOf(machine).kind).toBe('introducing');
    const polling = applyEvents(machine, { kind: 'challengeEnded', isConfirmed: true });
    expect(polling.act).toMatchObject({ after: 'introducing', methodDone: true });
    const shown = applyEvents(polling, updated({ state: 'pending', next: challenge }));
    expect(viewOf(shown)).toEqual({ kind: 'challenging', next: challenge });
  });

  it('does not show the bank again while the server is polled', () => {
    const polling = applyEvents(
      fresh(),
      { kind: 'answered', next: challenge },
      { kind: 'challengeEnded', isConfirmed: true },
    );
    const machine = applyEvents(polling, updated({ state: 'pending', next: challenge }));
    expect(viewOf(machine)).toEqual({ kind: 'checking', isLong: false });
  });

  it('that was closed can be resumed', () => {
    const closed = applyEvents(
      fresh(),
      { kind: 'answered', next: challenge },
      { kind: 'challengeClosed' },
    );
    expect(viewOf(closed).kind).toBe('act');
    expect(viewOf(applyEvents(closed, { kind: 'resumed' })).kind).toBe('challenging');
  });

  it('that failed takes the frame away', () => {
    const machine = applyEvents(
      fresh(),
      { kind: 'answered', next: challenge },
      updated({ problem }),
    );
    expect(viewOf(machine).kind).toBe('offer');
  });

  it('whose outcome stays unknown is still being checked', () => {
    const polled = applyEvents(
      fresh(),
      { kind: 'answered', next: challenge },
      { kind: 'challengeEnded', isConfirmed: true },
      updated({ state: 'checking' }),
      { kind: 'polled' },
    );
    expect(viewOf(polled)).toEqual({ kind: 'checking', isLong: true });
    expect(isUnderway(polled)).toBe(true);
  });
});

describe('another way to pay', () => {
  it('is offered in place of an active attempt', () => {
    const waiting = fresh({ state: 'pending', next: makeNext('sbp-mobile', { qr_code: 'x' }) });
    const machine = applyEvents(
      waiting,
      { kind: 'chosen', type: 'sberpay' },
      updated({ state: 'pending' }),
    );
    expect(viewOf(machine).kind).toBe('offer');
    expect(machine.type).toBe('sberpay');
  });

  it('that another tab has chosen is shown, and starts nothing here', () => {
    const machine = applyEvents(fresh(), updated({ payment_type: makePaymentType('sbp') }));
    expect(machine.type).toBe('sbp');
    expect(machine.wantsStart).toBe(false);
  });
});

describe('the end of the time', () => {
  it('interrupts nothing that is underway', () => {
    expect(isUnderway(fresh())).toBe(false);
    expect(isUnderway(applyEvents(fresh(), { kind: 'sent' }))).toBe(true);
    expect(isUnderway(fresh({ state: 'checking' }))).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { makeNext, makePayment, makePaymentType } from '@/testing/payments';
import {
  begin,
  type Event,
  isUnderway,
  type Machine,
  type Payment,
  reduce,
  viewOf,
} from './machine';

const run = (machine: Machine, ...events: Event[]) => events.reduce(reduce, machine);
const told = (own: Partial<Payment>): Event => ({ kind: 'told', payment: makePayment(own) });
const answered = (...next: Parameters<typeof makeNext>): Event => ({
  kind: 'answered',
  next: makeNext(...next),
});
const fresh = (own: Partial<Payment> = {}) => begin(makePayment(own), 'first');
const toBank = answered('approved-new', { form_url: 'https://bank.example/1' });

const problem = { reason: 'bank_declined' as const, message: 'The bank said no' };

describe('an arrival', () => {
  it('from the checkout wants to start', () => {
    expect(fresh().wantsStart).toBe(true);
  });

  it.each(['again', 'back', 'failed'] as const)(
    'that is no first one (%s) starts nothing',
    (how) => {
      expect(begin(makePayment(), how).wantsStart).toBe(false);
    },
  );

  it('after a failed try starts nothing', () => {
    expect(fresh({ problem }).wantsStart).toBe(false);
  });

  it('at a try that another tab began starts nothing, and offers to go on', () => {
    const machine = fresh({ state: 'pending', next: makeNext('approved-new') });
    expect(machine.wantsStart).toBe(false);
    expect(viewOf(machine).kind).toBe('act');
  });

  it('by a reload in the middle offers to go on at once', () => {
    const machine = begin(
      makePayment({ state: 'pending', next: makeNext('approved-new') }),
      'again',
    );
    expect(viewOf(machine).kind).toBe('act');
  });

  it('from the bank asks the bank first, and offers to go on when there is no news', () => {
    const machine = begin(
      makePayment({ state: 'pending', next: makeNext('approved-new') }),
      'back',
    );
    expect(viewOf(machine)).toEqual({ kind: 'checking', isLong: false });
    expect(viewOf(run(machine, { kind: 'rested' })).kind).toBe('act');
  });
});

describe('a try that stands', () => {
  const at = (own: Partial<Payment>, ...events: Event[]) =>
    viewOf(run(begin(makePayment({ state: 'pending', ...own }), 'back'), ...events)).kind;

  it('and failed on the bank’s page can be begun anew', () => {
    expect(at({ next: makeNext('approved-new'), problem })).toBe('offer');
  });

  it('and waits for the card shows the form', () => {
    expect(at({ next: makeNext('pre-auth', { verify_param: 'x' }) })).toBe('offer');
  });

  it('with a code or a push shows it at once after coming back', () => {
    expect(at({ next: makeNext('sbp-mobile', { qr_code: 'x' }) })).toBe('act');
    expect(at({ next: makeNext('push') })).toBe('act');
  });
});

describe('a try', () => {
  it('is sent once, however often one presses', () => {
    const sending = run(fresh(), { kind: 'send' });
    expect(reduce(sending, { kind: 'send' })).toBe(sending);
  });

  it('whose answer is lost is still under way, not failed', () => {
    const machine = run(fresh(), { kind: 'send' }, { kind: 'lost' }, told({}));
    expect(viewOf(machine)).toEqual({ kind: 'sending', isLost: true });
  });

  it('that nobody can say anything of is checked, until the server says that nothing was begun', () => {
    const gone = run(fresh(), { kind: 'send' }, { kind: 'gaveUp', message: 'Try again' });
    expect(viewOf(gone)).toEqual({ kind: 'checking', isLong: false });
    const offered = run(gone, told({}));
    expect(viewOf(offered).kind).toBe('offer');
    expect(offered.refusal?.message).toBe('Try again');
  });

  it('that is refused brings the form back with the reasons', () => {
    const refusal = { message: 'No', fields: { card_cvc: 'Check the code' } };
    const machine = run(fresh(), { kind: 'send' }, { kind: 'refused', refusal });
    expect(viewOf(machine).kind).toBe('offer');
    expect(machine.refusal).toEqual(refusal);
    expect(run(machine, { kind: 'send' }).refusal).toBeUndefined();
  });

  it('that turns out paid ends, whatever the tab is in the middle of', () => {
    for (const before of [
      run(fresh(), { kind: 'send' }),
      run(fresh(), toBank),
      run(fresh(), answered('3ds', { is_framed: true })),
    ]) {
      const machine = run(before, told({ state: 'paid' }));
      expect(viewOf(machine)).toEqual({ kind: 'paid' });
      expect(machine.act.kind).toBe('none');
    }
  });

  it('to be made at the bank leads there', () => {
    expect(viewOf(run(fresh(), { kind: 'send' }, toBank)).kind).toBe('leaving');
  });

  it('to be confirmed in a program waits for the customer', () => {
    expect(viewOf(run(fresh(), answered('sbp-mobile', { qr_code: 'x' }))).kind).toBe('act');
    expect(viewOf(run(fresh(), answered('push'))).kind).toBe('act');
  });

  it.each(['approved', 'checking'] as const)('answered %s is asked after', (reason) => {
    expect(viewOf(run(fresh(), answered(reason)))).toEqual({ kind: 'checking', isLong: false });
  });
});

describe('a try whose answer was lost', () => {
  it('is gone on with as soon as it is found', () => {
    const lost = run(fresh(), { kind: 'send' }, answered('checking'));
    const found = run(lost, told({ state: 'pending', next: makeNext('approved-new') }));
    expect(viewOf(found).kind).toBe('act');
  });
});

describe('coming back to the page as the browser kept it', () => {
  it('does not lead to the bank again', () => {
    const machine = run(fresh(), { kind: 'send' }, toBank, { kind: 'returned' });
    expect(viewOf(machine).kind).toBe('act');
    expect(viewOf(run(machine, told({ problem }))).kind).toBe('offer');
  });
});

describe('3-D Secure', () => {
  const introducing = answered('3ds-v2', {
    threeDS: { threeDSMethodURL: 'https://bank.example/method', threeDSMethodData: 'x' },
  });
  const challenge = makeNext('3ds-v2', { cReq: 'creq', AcsUrl: 'https://bank.example/acs' });

  it('of the first version stands in a frame where it may, else it takes the page', () => {
    expect(viewOf(run(fresh(), answered('3ds', { is_framed: true }))).kind).toBe('proving');
    expect(viewOf(run(fresh(), answered('3ds'))).kind).toBe('leaving');
  });

  it('of the second version introduces the browser, asks, and shows the bank when it wants to', () => {
    const machine = run(fresh(), introducing);
    expect(viewOf(machine).kind).toBe('introducing');
    const asking = run(machine, { kind: 'proved', isTold: true });
    expect(asking.act).toMatchObject({ after: 'introducing', methodDone: true });
    const shown = run(asking, told({ state: 'pending', next: challenge }));
    expect(viewOf(shown)).toEqual({ kind: 'proving', next: challenge });
  });

  it('does not show the bank again while its answer is asked for', () => {
    const asking = run(
      fresh(),
      { kind: 'answered', next: challenge },
      { kind: 'proved', isTold: true },
    );
    const machine = run(asking, told({ state: 'pending', next: challenge }));
    expect(viewOf(machine)).toEqual({ kind: 'checking', isLong: false });
  });

  it('that was closed can be gone on with', () => {
    const closed = run(fresh(), { kind: 'answered', next: challenge }, { kind: 'closed' });
    expect(viewOf(closed).kind).toBe('act');
    expect(viewOf(run(closed, { kind: 'goOn' })).kind).toBe('proving');
  });

  it('that failed takes the frame away', () => {
    const machine = run(fresh(), { kind: 'answered', next: challenge }, told({ problem }));
    expect(viewOf(machine).kind).toBe('offer');
  });

  it('whose outcome stays unknown is still being checked', () => {
    const asked = run(
      fresh(),
      { kind: 'answered', next: challenge },
      { kind: 'proved', isTold: true },
      told({ state: 'checking' }),
      { kind: 'asked' },
    );
    expect(viewOf(asked)).toEqual({ kind: 'checking', isLong: true });
    expect(isUnderway(asked)).toBe(true);
  });
});

describe('another way to pay', () => {
  it('is offered in place of a try that still stands', () => {
    const waiting = fresh({ state: 'pending', next: makeNext('sbp-mobile', { qr_code: 'x' }) });
    const machine = run(waiting, { kind: 'choose', type: 'sberpay' }, told({ state: 'pending' }));
    expect(viewOf(machine).kind).toBe('offer');
    expect(machine.type).toBe('sberpay');
  });

  it('that another tab has taken is followed, and starts nothing here', () => {
    const machine = run(fresh(), told({ payment_type: makePaymentType('sbp') }));
    expect(machine.type).toBe('sbp');
    expect(machine.wantsStart).toBe(false);
  });
});

describe('the end of the time', () => {
  it('is the end only for who is in the middle of nothing', () => {
    expect(isUnderway(fresh())).toBe(false);
    expect(isUnderway(run(fresh(), { kind: 'send' }))).toBe(true);
    expect(isUnderway(fresh({ state: 'checking' }))).toBe(true);
  });
});

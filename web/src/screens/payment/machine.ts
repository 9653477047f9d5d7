import type { Schema } from '@/api/types';

export type Payment = Schema<'OrderPayment'>;
export type Next = Schema<'PaymentNext'>;
export type PaymentAlias = Schema<'PaymentTypeAlias'>;
type State = Schema<'PaymentState'>;

/** How the visitor came to the page in this tab. */
export type Arrival =
  /** From the checkout. */
  | 'first'
  /** The page was open in this tab before: a reload, or Back from the bank's page. */
  | 'again'
  /** The bank sent the visitor back. */
  | 'back'
  /** The bank sent the visitor back and says that the payment failed. */
  | 'failed';

/** Why a payment attempt was refused: for certain, nothing was taken. */
export interface Refusal {
  message: string;
  /** The errors of single fields, by the server's names: card_number, card_expiry, card_cvc, phone, email. */
  fields: Record<string, string>;
}

/** The activity of this tab. */
type Act =
  | { kind: 'none' }
  /** An attempt is being sent; `isLost` when a response was lost and the same attempt is sent again. */
  | { kind: 'sending'; isLost: boolean }
  /** The browser goes to the bank's page. */
  | { kind: 'leaving'; next: Next }
  /** 3-D Secure: the hidden frame in which the bank collects data of the browser. */
  | { kind: 'introducing'; next: Next }
  /** 3-D Secure: the bank's challenge is shown in a frame. */
  | { kind: 'challenging'; next: Next }
  /** A frame of 3-D Secure has ended; the server is polled for the result. */
  | { kind: 'polling'; after: 'introducing' | 'challenging'; next: Next; methodDone: boolean };

/** The state of this tab beside the payment, which comes from the server. */
export interface Machine {
  act: Act;
  /** The chosen payment type; the order's own type until the customer chooses another. */
  type: PaymentAlias;
  /** Whether an attempt starts by itself, if its payment type needs no form. */
  wantsStart: boolean;
  /** Whether the result of the last act is expected soon, so that the server is polled more often. */
  isFresh: boolean;
  /** Whether the visitor chooses another payment type while an attempt is still active. */
  isChoosing: boolean;
  refusal?: Refusal;
}

export type Event =
  /** The server has sent the state of the payment. */
  | { kind: 'serverUpdated'; payment: Payment }
  /** Another payment type was chosen. */
  | { kind: 'chosen'; type: PaymentAlias }
  /** An attempt is sent. */
  | { kind: 'sent' }
  | { kind: 'responseLost' }
  | { kind: 'answered'; next: Next }
  | { kind: 'refused'; refusal: Refusal }
  /** The outcome could not be learned; `message` is shown when the server says that nothing was begun. */
  | { kind: 'outcomeUnknown'; message: string }
  /** The visitor continues with the attempt that was begun before. */
  | { kind: 'resumed' }
  /** A frame of 3-D Secure has ended; `isConfirmed` when the frame said so itself. */
  | { kind: 'challengeEnded'; isConfirmed: boolean }
  /** The bank's frame was closed before its end. */
  | { kind: 'challengeClosed' }
  /** The server was polled for the last time. */
  | { kind: 'polled' }
  /** The browser shows the page again from its cache. */
  | { kind: 'returned' }
  /** The time in which the result of the last act usually arrives is over. */
  | { kind: 'freshWindowEnded' };

/** The state that the page shows. */
export type View =
  /** The visitor can begin to pay. */
  | { kind: 'offer' }
  | { kind: 'sending'; isLost: boolean }
  | { kind: 'leaving'; next: Next }
  | { kind: 'introducing'; next: Next }
  | { kind: 'challenging'; next: Next }
  /** An attempt has begun, and the visitor has to act: scan, open an app, continue at the bank. */
  | { kind: 'act'; next: Next }
  /**
   * The outcome is not known yet; `isLong` when this lasts for a while, `next` when the visitor may continue the
   * attempt.
   */
  | { kind: 'checking'; isLong: boolean; next?: Next }
  | { kind: 'paid' }
  | { kind: 'canceled' }
  | { kind: 'refunding' }
  | { kind: 'refunded' };

const idle: Act = { kind: 'none' };

/** Returns the machine at the beginning of a visit. */
export function begin(payment: Payment, arrival: Arrival): Machine {
  const { state, problem } = payment;
  const isFromBank = arrival === 'back' || arrival === 'failed';
  return {
    act: idle,
    type: payment.payment_type.alias,
    wantsStart: arrival === 'first' && state === 'waiting' && !problem,
    // A result is expected soon after the bank's page. After Back or a reload it is expected only while
    // the server asks the bank; otherwise the visitor may want to continue at the bank at once.
    isFresh: isFromBank ? state !== 'waiting' : arrival === 'again' && state === 'checking',
    isChoosing: false,
  };
}

/** Reports whether the payment has its outcome. */
export const isFinal = (state: State): boolean =>
  state === 'paid' || state === 'canceled' || state === 'refunding' || state === 'refunded';

/**
 * Returns the payment after an event: the server's payment of an update, otherwise `payment` with the changes
 * that the event makes certain.
 */
export function paymentAfter(payment: Payment, event: Event): Payment {
  const { state } = payment;
  switch (event.kind) {
    case 'serverUpdated':
      return event.payment;
    case 'refused':
      return { ...payment, state: state === 'canceled' ? 'canceled' : 'waiting' };
    case 'outcomeUnknown':
      return { ...payment, state: state === 'waiting' ? 'checking' : state };
    case 'answered': {
      const { next } = event;
      if (actOn(next).kind !== 'none') return { ...payment, state: 'pending', next };
      const answered: State = isDoneElsewhere(next) ? 'pending' : 'checking';
      return { ...payment, state: answered, next, problem: undefined };
    }
    default:
      return payment;
  }
}

/** Returns the machine after an event; `payment` is the payment before the event. */
export function reduce(machine: Machine, event: Event, payment: Payment): Machine {
  const { act } = machine;
  switch (event.kind) {
    case 'serverUpdated':
      return applyServerUpdate(machine, payment, event.payment);
    case 'chosen':
      return {
        ...machine,
        type: event.type,
        wantsStart: true,
        isChoosing: payment.state === 'pending',
        refusal: undefined,
      };
    case 'sent':
      if (act.kind === 'sending') return machine;
      return {
        ...machine,
        act: { kind: 'sending', isLost: false },
        wantsStart: false,
        isChoosing: false,
        refusal: undefined,
      };
    case 'responseLost':
      return act.kind === 'sending' ? { ...machine, act: { ...act, isLost: true } } : machine;
    case 'answered': {
      const begun = actOn(event.next);
      if (begun.kind !== 'none') return { ...machine, act: begun };
      return { ...machine, act: idle, isFresh: !isDoneElsewhere(event.next) };
    }
    case 'refused':
      return { ...machine, act: idle, refusal: event.refusal };
    case 'outcomeUnknown':
      return {
        ...machine,
        act: idle,
        isFresh: true,
        refusal: { message: event.message, fields: {} },
      };
    case 'resumed':
      return payment.next ? { ...machine, act: actOn(payment.next) } : machine;
    case 'challengeEnded':
      if (act.kind !== 'introducing' && act.kind !== 'challenging') return machine;
      return {
        ...machine,
        act: { kind: 'polling', after: act.kind, next: act.next, methodDone: event.isConfirmed },
        isFresh: true,
      };
    case 'challengeClosed':
      return act.kind === 'challenging' ? { ...machine, act: idle } : machine;
    case 'polled':
      return act.kind === 'polling' ? { ...machine, act: idle, isFresh: false } : machine;
    case 'returned':
      return {
        ...machine,
        act: act.kind === 'leaving' ? idle : act,
        wantsStart: false,
        isFresh: payment.state === 'checking',
      };
    case 'freshWindowEnded':
      return { ...machine, isFresh: false };
  }
}

/**
 * Returns the machine after the server has sent `payment`; `before` is the payment until then. A final outcome
 * ends the tab's own act.
 */
function applyServerUpdate(machine: Machine, before: Payment, payment: Payment): Machine {
  const { act } = machine;
  // Another tab, or the visitor's own attempt, may have changed the order's payment type.
  const isSameType = before.payment_type.alias === payment.payment_type.alias;
  const type = isSameType ? machine.type : payment.payment_type.alias;
  const wantsStart = machine.wantsStart && type === machine.type;
  // The polled attempt was found: the visitor can continue with it.
  const isFound = before.state === 'checking' && payment.state === 'pending';
  const updated = { ...machine, type, wantsStart, isFresh: machine.isFresh && !isFound };
  if (isFinal(payment.state)) {
    return { ...updated, act: idle, isChoosing: false, refusal: undefined };
  }
  switch (act.kind) {
    case 'introducing':
    case 'challenging':
      return payment.state === 'waiting' ? { ...updated, act: idle } : updated;
    case 'polling': {
      if (payment.state === 'waiting') return { ...updated, act: idle };
      // After the hidden frame the bank may require a challenge.
      const { next } = payment;
      const isChallenge = act.after === 'introducing' && next?.reason === '3ds-v2' && next.cReq;
      return isChallenge ? { ...updated, act: { kind: 'challenging', next } } : updated;
    }
    default:
      return updated;
  }
}

/** Reports whether the visitor has to act outside this page, in an app on the phone. */
const isDoneElsewhere = ({ reason }: Next) => reason === 'sbp-mobile' || reason === 'push';

/**
 * Returns the act that the tab starts by itself for the payment's next action; `idle` when the visitor has to
 * act.
 */
function actOn(next: Next): Act {
  switch (next.reason) {
    case 'approved-new':
      return { kind: 'leaving', next };
    case '3ds':
      return next.is_framed ? { kind: 'challenging', next } : { kind: 'leaving', next };
    case '3ds-v2':
      // 3-D Secure 2 is made for a frame; the bank may want to collect data of the browser first.
      if (next.threeDS?.threeDSMethodURL) return { kind: 'introducing', next };
      return next.cReq ? { kind: 'challenging', next } : idle;
    default:
      return idle;
  }
}

/** Returns the state of a payment that the page shows. */
export function viewOf(machine: Machine, payment: Payment): View {
  const { act, isFresh } = machine;
  const { state } = payment;
  switch (act.kind) {
    case 'sending':
    case 'leaving':
    case 'introducing':
    case 'challenging':
      return act;
    case 'polling':
      return { kind: 'checking', isLong: false };
    case 'none':
  }
  switch (state) {
    case 'waiting':
      return { kind: 'offer' };
    case 'pending':
      return pendingView(machine, payment);
    case 'checking':
      return { kind: 'checking', isLong: !isFresh };
    default:
      return { kind: state };
  }
}

/** Returns the view of a payment that has begun and is not over. */
function pendingView({ isFresh, isChoosing }: Machine, { next, problem }: Payment): View {
  if (isChoosing) return { kind: 'offer' };
  switch (next?.reason) {
    case 'sbp-mobile':
    case 'push':
      return { kind: 'act', next };
    case 'pre-auth':
      // The acquirer waits for the card.
      return { kind: 'offer' };
    case 'approved-new':
      // After a failure on the bank's page a new attempt is offered, since that page may have expired.
      if (problem) return { kind: 'offer' };
      return isFresh ? { kind: 'checking', isLong: false, next } : { kind: 'act', next };
    case '3ds':
    case '3ds-v2':
      return isFresh ? { kind: 'checking', isLong: false } : { kind: 'act', next };
    default:
      return { kind: 'checking', isLong: !isFresh };
  }
}

/** Reports whether the page shows an attempt or an outcome: then the deadline does not change the screen. */
export const isUnderway = (view: View): boolean => view.kind !== 'offer';

/** Reports whether the last attempt is known to have failed. */
export const wasRefused = ({ refusal }: Machine, { problem }: Payment): boolean =>
  Boolean(refusal || problem);

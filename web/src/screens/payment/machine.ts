import type { Schema } from '@/api/types';

export type Payment = Schema<'OrderPayment'>;
export type Next = Schema<'PaymentNext'>;
export type PaymentAlias = Schema<'PaymentTypeAlias'>;
type State = Schema<'PaymentState'>;

/** How the visitor got here in this tab. */
export type Arrival =
  /** From the checkout. */
  | 'first'
  /** The page was open in this tab before: a reload, or Back from the bank's page. */
  | 'again'
  /** The bank sent him back. */
  | 'back'
  /** The bank sent him back and says that it did not work. */
  | 'failed';

/** Why a try to pay was refused: for certain, nothing was taken. */
export interface Refusal {
  message: string;
  /** By the server's names: card_number, card_expiry, card_cvc, payment, phone, email. */
  fields: Record<string, string>;
}

/** What this tab is in the middle of. */
type Act =
  | { kind: 'none' }
  /** A try is being sent; `isLost` when an answer got lost and the same try is asked for again. */
  | { kind: 'sending'; isLost: boolean }
  /** The browser goes to the bank's page. */
  | { kind: 'leaving'; next: Next }
  /** 3-D Secure: the hidden frame that tells the bank about the browser. */
  | { kind: 'introducing'; next: Next }
  /** 3-D Secure: the bank's page stands in a frame. */
  | { kind: 'proving'; next: Next }
  /** A frame of 3-D Secure is over; the server is asked what the bank says. */
  | { kind: 'asking'; after: 'introducing' | 'proving'; next: Next; methodDone: boolean };

export interface Machine {
  payment: Payment;
  act: Act;
  /** How the visitor wants to pay; the order's own way until he takes another. */
  type: PaymentAlias;
  /** Whether a way to pay that needs no form begins by itself. */
  wantsStart: boolean;
  /** Whether what he did a moment ago may not be known yet: it is looked for more often. */
  isFresh: boolean;
  /** Whether he takes another way while a try of before still stands. */
  isChoosing: boolean;
  refusal?: Refusal;
}

export type Event =
  /** The server says how the paying stands. */
  | { kind: 'told'; payment: Payment }
  /** Another way to pay is taken. */
  | { kind: 'choose'; type: PaymentAlias }
  /** A try is sent. */
  | { kind: 'send' }
  | { kind: 'lost' }
  | { kind: 'answered'; next: Next }
  | { kind: 'refused'; refusal: Refusal }
  /** Nobody could say what became of the try; the words are for when the server says that nothing did. */
  | { kind: 'gaveUp'; message: string }
  /** He goes on with what was begun before. */
  | { kind: 'goOn' }
  /** The bank's frame is over, or the hidden one before it; `isTold` when that one said so itself. */
  | { kind: 'proved'; isTold: boolean }
  /** The bank's frame was closed before it was over. */
  | { kind: 'closed' }
  /** The server was asked often enough. */
  | { kind: 'asked' }
  /** He is back at this page, which the browser had kept. */
  | { kind: 'returned' }
  /** What was done a moment ago has had its time to become known. */
  | { kind: 'rested' };

/** What the page shows. */
export type View =
  /** He can begin to pay. */
  | { kind: 'offer' }
  | { kind: 'sending'; isLost: boolean }
  | { kind: 'leaving'; next: Next }
  | { kind: 'introducing'; next: Next }
  | { kind: 'proving'; next: Next }
  /** Begun, and he has to act: scan, open a program, go on at the bank. */
  | { kind: 'act'; next: Next }
  /** Nobody knows yet; `isLong` when that has been so for a while. */
  | { kind: 'checking'; isLong: boolean }
  | { kind: 'paid' }
  | { kind: 'canceled' }
  | { kind: 'refunding' }
  | { kind: 'refunded' };

const idle: Act = { kind: 'none' };

/** How a visit begins. */
export function begin(payment: Payment, arrival: Arrival): Machine {
  const { state, problem } = payment;
  const isFromBank = arrival === 'back' || arrival === 'failed';
  return {
    payment,
    act: idle,
    type: payment.payment_type.alias,
    wantsStart: arrival === 'first' && state === 'waiting' && !problem,
    // Whoever left the bank by Back, or reloaded, may want to go on there at once.
    isFresh: isFromBank ? state !== 'waiting' : arrival === 'again' && state === 'checking',
    isChoosing: false,
  };
}

/** Whether nothing more can come of the paying while one waits. */
export const isFinal = (state: State): boolean =>
  state === 'paid' || state === 'canceled' || state === 'refunding' || state === 'refunded';

export function reduce(machine: Machine, event: Event): Machine {
  const { payment, act } = machine;
  switch (event.kind) {
    case 'told':
      return told(machine, event.payment);
    case 'choose':
      return {
        ...machine,
        type: event.type,
        wantsStart: true,
        isChoosing: payment.state === 'pending',
        refusal: undefined,
      };
    case 'send':
      if (act.kind === 'sending') return machine;
      return {
        ...machine,
        act: { kind: 'sending', isLost: false },
        wantsStart: false,
        isChoosing: false,
        refusal: undefined,
      };
    case 'lost':
      return act.kind === 'sending' ? { ...machine, act: { ...act, isLost: true } } : machine;
    case 'answered':
      return answered(machine, event.next);
    case 'refused':
      return {
        ...machine,
        act: idle,
        refusal: event.refusal,
        // What is certain is certain: the form comes back before the server has been asked.
        payment: { ...payment, state: payment.state === 'canceled' ? 'canceled' : 'waiting' },
      };
    case 'gaveUp':
      return {
        ...machine,
        act: idle,
        isFresh: true,
        refusal: { message: event.message, fields: {} },
        payment: { ...payment, state: payment.state === 'waiting' ? 'checking' : payment.state },
      };
    case 'goOn':
      return payment.next ? { ...machine, act: actOn(payment.next) } : machine;
    case 'proved':
      if (act.kind !== 'introducing' && act.kind !== 'proving') return machine;
      return {
        ...machine,
        act: { kind: 'asking', after: act.kind, next: act.next, methodDone: event.isTold },
        isFresh: true,
      };
    case 'closed':
      return act.kind === 'proving' ? { ...machine, act: idle } : machine;
    case 'asked':
      return act.kind === 'asking' ? { ...machine, act: idle, isFresh: false } : machine;
    case 'returned':
      return {
        ...machine,
        act: act.kind === 'leaving' ? idle : act,
        wantsStart: false,
        isFresh: payment.state === 'checking',
      };
    case 'rested':
      return { ...machine, isFresh: false };
  }
}

/** The server's word ends what this tab does as soon as it is certain. */
function told(machine: Machine, payment: Payment): Machine {
  const { act } = machine;
  const type = followedType(machine, payment);
  const wantsStart = machine.wantsStart && type === machine.type;
  // What was looked for has been found: it can be gone on with.
  const isFound = machine.payment.state === 'checking' && payment.state === 'pending';
  const isFresh = machine.isFresh && !isFound;
  const news = { ...machine, payment, type, wantsStart, isFresh };
  if (isFinal(payment.state)) return { ...news, act: idle, isChoosing: false, refusal: undefined };
  switch (act.kind) {
    case 'introducing':
    case 'proving':
      return payment.state === 'waiting' ? { ...news, act: idle } : news;
    case 'asking': {
      if (payment.state === 'waiting') return { ...news, act: idle };
      // What the hidden frame led to: the bank wants to see the customer after all.
      const { next } = payment;
      const wantsProof = act.after === 'introducing' && next?.reason === '3ds-v2' && next.cReq;
      return wantsProof ? { ...news, act: { kind: 'proving', next } } : news;
    }
    default:
      return news;
  }
}

/** The order's way to pay may change under the visitor: by another tab, or by his own try. */
function followedType({ type, payment: before }: Machine, { payment_type: now }: Payment) {
  return before.payment_type.alias === now.alias ? type : now.alias;
}

function answered(machine: Machine, next: Next): Machine {
  const { payment } = machine;
  const act = actOn(next);
  if (act.kind !== 'none') {
    return { ...machine, act, payment: { ...payment, state: 'pending', next } };
  }
  const isWaitedFor = next.reason === 'sbp-mobile' || next.reason === 'push';
  const state: State = isWaitedFor ? 'pending' : 'checking';
  return {
    ...machine,
    act: idle,
    isFresh: !isWaitedFor,
    payment: { ...payment, state, next, problem: undefined },
  };
}

/** What the tab does by itself about what comes next. */
function actOn(next: Next): Act {
  switch (next.reason) {
    case 'approved-new':
      return { kind: 'leaving', next };
    case '3ds':
      return next.is_framed ? { kind: 'proving', next } : { kind: 'leaving', next };
    case '3ds-v2':
      // The standard's page is made for a frame; before it the bank may want to see the browser.
      if (next.threeDS?.threeDSMethodURL) return { kind: 'introducing', next };
      return next.cReq ? { kind: 'proving', next } : idle;
    default:
      return idle;
  }
}

export function viewOf(machine: Machine): View {
  const { payment, act, isFresh } = machine;
  const { state } = payment;
  switch (act.kind) {
    case 'sending':
    case 'leaving':
    case 'introducing':
    case 'proving':
      return act;
    case 'asking':
      return { kind: 'checking', isLong: false };
    case 'none':
  }
  switch (state) {
    case 'waiting':
      return { kind: 'offer' };
    case 'pending':
      return pendingView(machine);
    case 'checking':
      return { kind: 'checking', isLong: !isFresh };
    default:
      return { kind: state };
  }
}

function pendingView({ payment, isFresh, isChoosing }: Machine): View {
  const { next, problem } = payment;
  if (isChoosing) return { kind: 'offer' };
  switch (next?.reason) {
    case 'sbp-mobile':
    case 'push':
      return { kind: 'act', next };
    case 'pre-auth':
      // The acquirer waits for the card.
      return { kind: 'offer' };
    case 'approved-new':
      // What failed on the bank's page begins anew: that page may be over.
      if (problem) return { kind: 'offer' };
      return isFresh ? { kind: 'checking', isLong: false } : { kind: 'act', next };
    case '3ds':
    case '3ds-v2':
      return isFresh ? { kind: 'checking', isLong: false } : { kind: 'act', next };
    default:
      return { kind: 'checking', isLong: !isFresh };
  }
}

/** Whether the visitor is in the middle of something, so that the end of the time is not his end. */
export const isUnderway = (machine: Machine): boolean => viewOf(machine).kind !== 'offer';

/** Whether the last try is known to have come to nothing. */
export const wasRefused = ({ refusal, payment }: Machine): boolean =>
  Boolean(refusal || payment.problem);

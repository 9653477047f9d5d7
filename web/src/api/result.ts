import type { Schema } from './types';

type Problem = Schema<'Problem'>;

/** An answer that is no success, by its kind. `message` is in the visitor's language. */
export type Failure =
  | { kind: 'invalid'; message: string; fields: Record<string, string> }
  /** `isAnnounced` when the page has already shown the visitor that the session has ended. */
  | { kind: 'unauthenticated'; message: string; isAnnounced?: true }
  | { kind: 'forbidden'; message: string }
  | { kind: 'notFound'; message: string }
  | {
      kind: 'conflict';
      message: string;
      fields: Record<string, string>;
      cart?: Schema<'Cart'>;
      /** The order that exists already, when that is the reason. */
      orderId?: number;
    }
  | { kind: 'tooMany'; message: string; retryAfter: number }
  /** `retryAfter` in seconds; undefined when the server does not say when to call again. */
  | { kind: 'unavailable'; message: string; retryAfter?: number }
  | { kind: 'offline' }
  | { kind: 'server'; message: string; reference?: string };

export type Result<T> = { kind: 'ok'; data: T } | Failure;

/** A failure as an exception, for queries. Anything else thrown from a query is a fault of ours. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** The value that a call of `api` resolves to. */
interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

type Notify = (notification: Schema<'Notification'>) => void;

let notify: Notify = () => undefined;

/** Sets the function that shows notifications of the server's answers; the app calls it once. */
export function onNotification(listener: Notify): void {
  notify = listener;
}

/** Checks a suspected sign-out; resolves to the message shown to the visitor if the session has ended. */
type SuspicionCheck = () => Promise<string | undefined>;

let checkSuspicion: SuspicionCheck | undefined;

/**
 * Sets the check whether the session has ended. `attempt` runs it after an answer whose status
 * suggests that. Returns a function that unsets it.
 */
export function onSuspectedSignOut(listener: SuspicionCheck): () => void {
  checkSuspicion = listener;
  return () => {
    if (checkSuspicion === listener) checkSuspicion = undefined;
  };
}

/** The statuses of answers to a guest who asks for something that only a customer has. */
const suspiciousStatuses: ReadonlySet<number> = new Set([401, 404, 409]);

/**
 * Waits for a call and resolves to its outcome; never rejects. It shows the notification of the answer. After a
 * status that suggests a sign-out it runs the check, and resolves to `unauthenticated` when the session has
 * ended.
 */
export async function attempt<T>(request: Promise<Answer<T>>): Promise<Result<T>> {
  let answer: Answer<T>;
  try {
    answer = await request;
  } catch {
    return { kind: 'offline' };
  }
  announceNotification(answer.data ?? answer.error);
  if (answer.response.ok) return { kind: 'ok', data: answer.data as T };
  const shown = suspiciousStatuses.has(answer.response.status)
    ? await checkSuspicion?.()
    : undefined;
  // The session has ended, and the check has shown that to the visitor.
  if (shown) return { kind: 'unauthenticated', message: shown, isAnnounced: true };
  return toFailure(answer.response, isProblem(answer.error) ? answer.error : { message: '' });
}

/** Waits for a call and resolves to its data; rejects with ApiFault for any failure, as TanStack Query expects. */
export async function fetchData<T>(request: Promise<Answer<T>>): Promise<T> {
  const result = await attempt(request);
  if (result.kind === 'ok') return result.data;
  throw new ApiFault(result);
}

/** Passes the notification of an answer, if it has one, to the listener. */
function announceNotification(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('notification' in body)) return;
  if (body.notification) notify(body.notification as Schema<'Notification'>);
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'message' in body;
}

/** Returns the failure of an answer that is not a success, by its status. */
function toFailure(response: Response, problem: Problem): Failure {
  const { message } = problem;
  switch (response.status) {
    case 400:
    case 413:
    case 422:
      return { kind: 'invalid', message, fields: firstReasons(problem.errors) };
    case 401:
      return { kind: 'unauthenticated', message };
    case 403:
      return { kind: 'forbidden', message };
    case 404:
      return { kind: 'notFound', message };
    case 409:
      return {
        kind: 'conflict',
        message,
        fields: firstReasons(problem.errors),
        cart: problem.cart,
        orderId: problem.order_id,
      };
    case 429:
      return { kind: 'tooMany', message, retryAfter: secondsToWait(response) };
    case 502:
    case 503:
    case 504:
      return {
        kind: 'unavailable',
        message,
        ...(response.headers.has('Retry-After') && { retryAfter: secondsToWait(response) }),
      };
    default:
      return { kind: 'server', message, reference: problem.reference };
  }
}

/** Returns the first reason of each refused field. */
function firstReasons(errors: Problem['errors']): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const [field, [first]] of Object.entries(errors ?? {})) if (first) reasons[field] = first;
  return reasons;
}

/** Returns the seconds of Retry-After; 1 when it is missing, zero or a date. */
function secondsToWait(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 1;
}

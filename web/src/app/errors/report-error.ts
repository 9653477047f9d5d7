import { api } from '@/api/client';
import { ApiFault } from '@/api/result';
import { findRoute } from '../routes';
import type { ErrorKind } from './watch-errors';

/** How many errors one view of a page reports. */
const perView = 5;

const lengths = { name: 64, message: 500, stack: 8000 } as const;

type ErrorReporter = (kind: ErrorKind, error: unknown) => Promise<void>;

/**
 * Returns a function that sends an error of the page to the server: each error once, at most `perView`. It leaves out
 * failures of calls, and errors in scripts of extensions and other sites. It sends the route instead of the address.
 */
export function createErrorReporter(): ErrorReporter {
  const reported = new Set<string>();
  return async (kind, error) => {
    if (!(error instanceof Error) || error instanceof ApiFault || error.name === 'AbortError') {
      return;
    }
    const stack = withoutMessage(error);
    const identity = `${error.name}\n${error.message}`;
    if (!isOurs(kind, stack) || reported.has(identity) || reported.size >= perView) return;
    reported.add(identity);
    await send(kind, error, stack);
  };
}

/** Reports errors of this view of the page. */
export const reportError = createErrorReporter();

/** Sends a report to the site; a failure is ignored. */
async function send(kind: ErrorKind, { name, message }: Error, stack: string): Promise<void> {
  const body = {
    kind,
    name: name.slice(0, lengths.name),
    message: message.slice(0, lengths.message),
    stack: stack.slice(0, lengths.stack),
    route: findRoute(location.pathname).route?.path ?? '',
  };
  await api
    .POST('/errors', { body, keepalive: true }) // sent also while the visitor leaves the page
    .catch(() => undefined); // without a network no report can be sent
}

/** Returns the stack without the message, which Chromium repeats in it. */
function withoutMessage({ stack = '', message }: Error): string {
  const at = stack.indexOf(message);
  return message && at >= 0 ? stack.slice(at + message.length).trimStart() : stack;
}

/** Reports whether an error happened in a script of the page. The failure to load a chunk always counts as one. */
const isOurs = (kind: ErrorKind, stack: string): boolean =>
  kind === 'chunk' || stack.includes(`${location.origin}/`);

import { api } from '@/api/client';
import { ApiFault } from '@/api/result';
import { findRoute } from '../routes';
import type { ErrorKind } from './watch-errors';

/** How many errors one view of a page reports. */
const perView = 5;

const lengths = { name: 64, message: 500, stack: 8000 } as const;

type ErrorReporter = (kind: ErrorKind, error: unknown) => Promise<void>;

/**
 * Returns a function that reports an error of a page: each once, a few of them for each view. It leaves
 * out failures that the server answered, and errors in scripts that are not ours (extensions, other
 * sites). It sends only the pattern of the address.
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

/**
 * Reports whether an error happened in a script of the page. A chunk that was not loaded always counts
 * as one.
 */
const isOurs = (kind: ErrorKind, stack: string): boolean =>
  kind === 'chunk' || stack.includes(`${location.origin}/`);

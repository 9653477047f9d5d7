import type { BrowserContext, ConsoleMessage, Page, Response } from '@playwright/test';

/**
 * Collects the faults of the pages of a context: errors and warnings on the console (hydration among them),
 * exceptions, failed calls, and requests that leave the site.
 */
export class Watch {
  private readonly faults: string[] = [];
  private readonly allowed: { path: RegExp; status: number }[] = [];
  private readonly expected: RegExp[] = [];

  constructor(context: BrowserContext) {
    context.on('console', (message) => this.recordConsole(message));
    context.on('weberror', (error) => this.faults.push(`exception: ${error.error().message}`));
    context.on('response', (response) => this.recordAnswer(response));
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // The page aborts requests that it no longer needs: searches, streams, pictures of a left page. A browser
      // without script refuses scripts as `csp`; a real violation of the site's policy is on the console too.
      if (!reason.includes('ERR_ABORTED') && reason !== 'csp') {
        this.faults.push(`request failed: ${request.url()} ${reason}`);
      }
    });
    context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol.startsWith('http') && !/(^|\.)localhost$/.test(hostname)) {
        this.faults.push(`request to a foreign host: ${request.url()}`);
      }
    });
  }

  /** Allows answers with this status to calls of this path. */
  expectRefusal(path: RegExp, status: number) {
    this.allowed.push({ path, status });
  }

  /** Allows faults that match the pattern. */
  expectFault(fault: RegExp) {
    this.expected.push(fault);
  }

  /** Returns the faults so far that are not allowed. */
  unexpectedFaults(): string[] {
    return this.faults.filter((fault) => !this.expected.some((pattern) => pattern.test(fault)));
  }

  /** Records an error or warning on the console. */
  private recordConsole(message: ConsoleMessage) {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The browser's own line about a refused call; the answer itself is recorded below.
    if (message.text().startsWith('Failed to load resource: the server responded')) return;
    // Playwright's own line, where the worker is kept out.
    if (message.text().startsWith('Service Worker registration blocked')) return;
    this.faults.push(`console ${message.type()}: ${message.text()}`);
  }

  /** Records an answer of 400 or more that is not allowed; its body is added when it has arrived. */
  private recordAnswer(response: Response) {
    if (response.status() < 400) return;
    const path = new URL(response.url()).pathname;
    const isMeant = this.allowed.some(
      (refusal) => refusal.status === response.status() && refusal.path.test(path),
    );
    if (isMeant) return;
    const at = this.faults.push(`${response.status()} ${response.request().method()} ${path}`) - 1;
    // The body is lost when the page is closed before; then the line stays as it is.
    response.text().then((body) => { this.faults[at] += ` ${body.slice(0, 600)}`; }, () => undefined);
  }
}

/** Returns a list to which each API call of the page is added from now on. */
export function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

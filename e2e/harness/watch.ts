import type { BrowserContext, ConsoleMessage, Page, Response } from '@playwright/test';

/**
 * Hears everything that went wrong in the pages of a context without anybody looking:
 * errors and warnings on the console (hydration among them), exceptions, calls that
 * failed, requests that leave the site.
 */
export class Watch {
  private readonly faults: string[] = [];
  private readonly allowed: { path: RegExp; status: number }[] = [];
  private readonly expected: RegExp[] = [];

  constructor(context: BrowserContext) {
    context.on('console', (message) => this.hearConsole(message));
    context.on('weberror', (error) => this.faults.push(`exception: ${error.error().message}`));
    context.on('response', (response) => this.hearAnswer(response));
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // The page ends what it no longer needs: searches, streams, pictures of a left page. And a
      // browser without script refuses scripts; what the site's own policy refuses is on the console.
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

  /** Says that a call is meant to be refused in this test. */
  expectRefusal(path: RegExp, status: number) {
    this.allowed.push({ path, status });
  }

  /** Says that a fault of the page is meant to happen in this test. */
  expectFault(fault: RegExp) {
    this.expected.push(fault);
  }

  /** What was heard so far. */
  heard(): string[] {
    return this.faults.filter((fault) => !this.expected.some((pattern) => pattern.test(fault)));
  }

  private hearConsole(message: ConsoleMessage) {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The browser's own line about a refused call; the answer itself is heard below.
    if (message.text().startsWith('Failed to load resource: the server responded')) return;
    this.faults.push(`console ${message.type()}: ${message.text()}`);
  }

  /** Notes an answer that is a refusal and not meant to be one; its body is added when it has come. */
  private hearAnswer(response: Response) {
    if (response.status() < 400) return;
    const path = new URL(response.url()).pathname;
    const isMeant = this.allowed.some(
      (refusal) => refusal.status === response.status() && refusal.path.test(path),
    );
    if (isMeant) return;
    const at = this.faults.push(`${response.status()} ${response.request().method()} ${path}`) - 1;
    // A body that went with its page leaves the line as it is.
    response.text().then((body) => { this.faults[at] += ` ${body.slice(0, 600)}`; }, () => undefined);
  }
}

/** Requests of the page to the server's calls, from now on. */
export function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

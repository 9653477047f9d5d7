import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiFault } from '@/api/result';
import { server } from '@/testing/server';
import { createErrorReporter } from './report-error';
import { reportCaught, watchErrors } from './watch-errors';

/** What arrived at the server. */
let reports: Record<string, unknown>[] = [];

beforeEach(() => {
  reports = [];
  history.replaceState(null, '', '/moscow/order/41/tracking?t=secret');
  server.use(
    http.post('*/api/errors', async ({ request }) => {
      reports.push((await request.json()) as Record<string, unknown>);
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

/** Returns an error of a script of the page. */
function ownError(message: string, name = 'TypeError'): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = `${name}: ${message}\n    at f (${location.origin}/assets/cart-1.js:1:20)`;
  return error;
}

describe('an error of the page', () => {
  it('is reported with its place and the pattern of the address', async () => {
    const reportError = createErrorReporter();
    await reportError('render', ownError('e.map is not a function'));
    expect(reports).toEqual([
      {
        kind: 'render',
        name: 'TypeError',
        message: 'e.map is not a function',
        stack: `at f (${location.origin}/assets/cart-1.js:1:20)`,
        route: '/:city/order/:orderId/tracking',
      },
    ]);
  });

  it('is reported once, and five of them in a view at most', async () => {
    const reportError = createErrorReporter();
    await reportError('thrown', ownError('again'));
    await reportError('rejection', ownError('again'));
    for (let n = 0; n < 10; n++) await reportError('thrown', ownError(`error ${n}`));
    expect(reports).toHaveLength(5);
  });

  it('is cut to what the contract takes', async () => {
    const reportError = createErrorReporter();
    await reportError('thrown', ownError('x'.repeat(1000), 'N'.repeat(100)));
    expect(reports[0]).toMatchObject({ name: 'N'.repeat(64), message: 'x'.repeat(500) });
  });

  it('is neither a refusal of the server, nor an aborted call, nor an error of another script', async () => {
    const reportError = createErrorReporter();
    await reportError('rejection', new ApiFault({ kind: 'offline' }));
    await reportError('rejection', ownError('left', 'AbortError'));
    await reportError('rejection', 'Anna');
    const foreign = ownError('foreign');
    foreign.stack = 'Error: foreign\n    at x (chrome-extension://abc/a.js:1:1)';
    await reportError('thrown', foreign);
    expect(reports).toEqual([]);
  });

  it('is dropped without a network', async () => {
    const reportError = createErrorReporter();
    server.use(http.post('*/api/errors', () => HttpResponse.error()));
    await expect(reportError('thrown', ownError('failed'))).resolves.toBeUndefined();
  });
});

describe('a page that reports', () => {
  it('reports thrown errors, rejections, lost chunks and broken parts', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    watchErrors();
    dispatchEvent(new ErrorEvent('error', { error: ownError('thrown') }));
    dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: ownError('rejected') }));
    dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: new Error('lost') }));
    reportCaught(ownError('broken'));
    await vi.waitFor(() => expect(reports).toHaveLength(4));
    expect(reports.map((one) => `${one.kind} ${one.message}`).sort()).toEqual([
      'chunk lost',
      'rejection rejected',
      'render broken',
      'thrown thrown',
    ]);
  });
});

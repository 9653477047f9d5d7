import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToWorker } from './rules';

const address = `${location.origin}/berlin`;
const page = '<script type="application/json" id="page-data">{}</script>';
const html = { headers: { 'Content-Type': 'text/html' } };

/** Returns stores like those of a browser, which are empty. */
function makeCaches() {
  const stores = new Map<string, Map<string, Response>>();
  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return {
      match: async (key: string) => store.get(key)?.clone(),
      put: async (key: string, answer: Response) => void store.set(key, answer),
      delete: async (key: string) => store.delete(key),
      keys: async () => [...store.keys()],
    };
  };
  return {
    open,
    keys: async () => [...stores.keys()],
    delete: async (n: string) => stores.delete(n),
  };
}

/** Starts a worker and returns the calls that it makes to the browser, and functions that send it events. */
async function startWorker() {
  const scope = new EventTarget();
  const close = vi.fn();
  const unsubscribe = vi.fn();
  const registration = {
    getNotifications: async () => [{ close }],
    pushManager: { getSubscription: async () => ({ unsubscribe }) },
  };
  vi.stubGlobal('self', Object.assign(scope, { registration }));
  await import('./sw');
  /** Dispatches an event and waits for all its work. */
  const dispatch = async (type: string, fields: object) => {
    const work: Promise<unknown>[] = [];
    let answer: Promise<Response> | undefined;
    const event = Object.assign(new Event(type), {
      ...fields,
      waitUntil: (one: Promise<unknown>) => work.push(one),
      respondWith: (one: Promise<Response>) => {
        answer = one;
      },
    });
    scope.dispatchEvent(event);
    const given = await answer;
    for (const one of work) await one;
    return given;
  };
  return {
    close,
    unsubscribe,
    post: (data: ToWorker) => dispatch('message', { data }),
    openPage: () =>
      dispatch('fetch', { request: { url: address, method: 'GET', mode: 'navigate' } }),
  };
}

const load = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.resetModules();
  load.mockReset();
  vi.stubGlobal('__OFFLINE_FILES__', { release: '1', files: [], languages: {} });
  vi.stubGlobal('caches', makeCaches());
  vi.stubGlobal('fetch', load);
});
afterEach(() => vi.unstubAllGlobals());

describe('a document of the worker', () => {
  it.each([502, 503, 504])('is the stored one when the server answers %i', async (status) => {
    const worker = await startWorker();
    load.mockResolvedValueOnce(new Response(page, html));
    await worker.openPage();
    load.mockResolvedValueOnce(new Response('busy', { status }));
    const answer = await worker.openPage();
    expect(answer?.status).toBe(200);
    expect(await answer?.text()).toContain('data-stale');
  });

  it.each([404, 500])('is the server’s when it answers %i', async (status) => {
    const worker = await startWorker();
    load.mockResolvedValueOnce(new Response(page, html));
    await worker.openPage();
    load.mockResolvedValueOnce(new Response('no', { status }));
    expect((await worker.openPage())?.status).toBe(status);
  });

  it('is the server’s when none is stored', async () => {
    const worker = await startWorker();
    load.mockResolvedValueOnce(new Response('busy', { status: 503 }));
    expect((await worker.openPage())?.status).toBe(503);
  });

  it('is the stored one when there is no network', async () => {
    const worker = await startWorker();
    load.mockResolvedValueOnce(new Response(page, html));
    await worker.openPage();
    load.mockRejectedValueOnce(new TypeError('no network'));
    expect(await (await worker.openPage())?.text()).toContain('data-stale');
  });
});

describe('notifications of the worker', () => {
  it('end when a customer leaves', async () => {
    const { close, unsubscribe, post } = await startWorker();
    await post({ type: 'forget' });
    expect(close).toHaveBeenCalledOnce();
    expect(unsubscribe).toHaveBeenCalledOnce();
  });

  it('stay when a guest signs in', async () => {
    const { close, unsubscribe, post } = await startWorker();
    await post({ type: 'forget', keepsPush: true });
    expect(close).not.toHaveBeenCalled();
    expect(unsubscribe).not.toHaveBeenCalled();
  });
});

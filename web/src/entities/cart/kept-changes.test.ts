import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeCart } from '@/testing/fixtures';
import { server } from '@/testing/server';
import { keepChanges } from './kept-changes';
import { debounceMs, Outbox } from './outbox';

const place = { city_id: 1, order_type: 'takeaway', shop_id: 3 } as const;
const change = { lineKey: '1-1', productKey: '1-1', modifiers: [], delta: 2 };

/** The calls that have reached the server: the count and the key of each. */
let sent: { count: number; key: string | null }[];

/** Has the server record a call, and answer it unless its answers are lost. */
function answerAdd({ isLost }: { isLost: boolean }) {
  server.use(
    http.put('*/api/cart/add', async ({ request }) => {
      const { count } = (await request.json()) as { count: number };
      sent.push({ count, key: request.headers.get('Idempotency-Key') });
      return isLost ? HttpResponse.error() : HttpResponse.json({ cart: makeCart([]) });
    }),
  );
}

/** Opens the cart of a city as a new document does. */
function openOutbox() {
  const outbox = new Outbox({
    keyNow: ({ lineKey }) => lineKey,
    onCart: () => undefined,
    onRefusal: () => undefined,
    onRetrying: () => undefined,
  });
  keepChanges(outbox, 1);
  return outbox;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  sessionStorage.clear();
  sent = [];
});
afterEach(() => vi.useRealTimers());

/** Makes a change whose call is lost, and leaves the document without a word, as a phone does with a hidden tab. */
async function loseChange() {
  answerAdd({ isLost: true });
  const outbox = openOutbox();
  outbox.count(change, place);
  await vi.advanceTimersByTimeAsync(debounceMs);
  await vi.waitFor(() => expect(outbox.state.get().retrying).toBeDefined());
  // A change that is made meanwhile waits behind it.
  outbox.count({ ...change, lineKey: '1-2', productKey: '1-2', delta: 1 }, place);
  await vi.advanceTimersByTimeAsync(debounceMs);
}

it('changes that did not get through are sent by the next document, once for the server', async () => {
  await loseChange();
  const [{ key } = { key: null }] = sent.splice(0);
  answerAdd({ isLost: false });
  const outbox = openOutbox();
  expect(outbox.state.get().changes).toMatchObject([change, { lineKey: '1-2', delta: 1 }]);
  await vi.waitFor(() => expect(outbox.state.get().isBusy).toBe(false));
  expect(sent.map(({ count }) => count)).toEqual([2, 1]);
  expect(sent[0]?.key).toBe(key);
  expect(sessionStorage.length).toBe(0);
});

it('changes of yesterday are given up, because the server may count them again', async () => {
  await loseChange();
  vi.setSystemTime(Date.now() + 24 * 3_600_000);
  expect(openOutbox().state.get().changes).toEqual([]);
});

it('nothing is stored of changes that get through', async () => {
  answerAdd({ isLost: false });
  const outbox = openOutbox();
  const write = vi.spyOn(Storage.prototype, 'setItem');
  outbox.count(change, place);
  await vi.advanceTimersByTimeAsync(debounceMs);
  await vi.waitFor(() => expect(outbox.state.get().isBusy).toBe(false));
  expect(write).not.toHaveBeenCalled();
});

import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/api/keys';
import { writeStored } from '@/lib/storage';
import { dropUser, storeUser } from './session';

const anna = { id: 1, phone: '4930123456789', name: 'Anna' };
const bela = { id: 2, phone: '4930987654321', name: 'Bela' };
const mark = 'order.messages.7';
const postMessage = vi.fn();

beforeEach(() => {
  localStorage.clear();
  postMessage.mockReset();
  vi.stubGlobal('caches', { delete: async () => true });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { controller: { postMessage } },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

describe('notifications about an order', () => {
  it('stay when a guest signs in, whose data for reading offline goes', async () => {
    writeStored(mark, true);
    writeStored('seen-cart.1', {});
    await storeUser(new QueryClient(), anna);
    expect(Object.keys(localStorage).sort()).toEqual([mark, 'user']);
    expect(postMessage.mock.calls).toEqual([[{ type: 'forget', keepsPush: true }]]);
  });

  it('end with their mark when the customer leaves, also when the session ended elsewhere', () => {
    writeStored('user', anna);
    writeStored(mark, true);
    dropUser(new QueryClient());
    expect(localStorage.length).toBe(0);
    expect(postMessage.mock.calls).toEqual([[{ type: 'forget', keepsPush: false }]]);
  });

  it('end with their mark when another customer signs in', async () => {
    writeStored('user', anna);
    writeStored(mark, true);
    await storeUser(new QueryClient(), bela);
    expect(Object.keys(localStorage)).toEqual(['user']);
    expect(postMessage.mock.calls).toEqual([[{ type: 'forget', keepsPush: false }]]);
  });
});

it('what was loaded of the customer before is gone once another signs in', async () => {
  const client = new QueryClient();
  client.setQueryData(keys.profile(), anna);
  await storeUser(client, bela);
  expect(client.getQueryData(keys.profile())).toBeUndefined();
  expect(client.getQueryData(keys.session())).toEqual(bela);
});

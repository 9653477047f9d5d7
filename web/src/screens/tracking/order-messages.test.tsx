import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderInCity } from '@/testing/render';
import { server } from '@/testing/server';
import { OrderMessages } from './order-messages';

const keys = { p256dh: 'key', auth: 'secret' };
const toJSON = () => ({ endpoint: 'https://push.example.com/1', keys });

/** The browser of the test, and the calls that it got. */
const browser = {
  permission: 'default' as NotificationPermission,
  requestPermission: vi.fn<() => Promise<NotificationPermission>>(),
  subscribe: vi.fn(),
  unsubscribe: vi.fn(),
  known: null as { unsubscribe: () => void } | null,
};

/** The calls that the server got. */
let calls: string[] = [];

beforeEach(() => {
  calls = [];
  localStorage.clear();
  browser.permission = 'default';
  browser.known = null;
  browser.unsubscribe.mockReset();
  browser.requestPermission.mockReset().mockImplementation(async () => {
    browser.permission = 'granted';
    return 'granted';
  });
  browser.subscribe.mockReset().mockResolvedValue({ toJSON });
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission;
    },
    requestPermission: browser.requestPermission,
  });
  vi.stubGlobal('PushManager', class {});
  const pushManager = {
    subscribe: browser.subscribe,
    getSubscription: async () => browser.known,
  };
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { register: vi.fn(), ready: Promise.resolve({ pushManager }) },
  });
  server.use(
    http.get('*/api/push/key', () => HttpResponse.json({ public_key: 'the-key' })),
    http.post('*/api/order/7/push', async ({ request }) => {
      calls.push(`POST ${JSON.stringify(await request.json())}`);
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete('*/api/order/7/push', () => {
      calls.push('DELETE');
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

const turnOn = () => screen.getByRole('button', { name: 'Notify me of changes' });

describe('messages about an order', () => {
  it('are asked for by a press alone, and turned off by another', async () => {
    const { user } = renderInCity(<OrderMessages orderId={7} />);
    expect(browser.requestPermission).not.toHaveBeenCalled();
    await user.click(turnOn());
    const off = await screen.findByRole('button', { name: 'Turn notifications off' });
    expect(browser.subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: 'the-key',
    });
    expect(calls).toEqual([
      `POST ${JSON.stringify({ endpoint: 'https://push.example.com/1', keys })}`,
    ]);
    await user.click(off);
    await waitFor(() => expect(turnOn()).toBeTruthy());
    expect(calls[1]).toBe('DELETE');
  });

  it('stay on when the page is opened again', async () => {
    const first = renderInCity(<OrderMessages orderId={7} />);
    await first.user.click(turnOn());
    await screen.findByRole('button', { name: 'Turn notifications off' });
    first.unmount();
    renderInCity(<OrderMessages orderId={7} />);
    expect(screen.getByRole('button', { name: 'Turn notifications off' })).toBeTruthy();
  });

  it('that the visitor does not allow are not requested from the server', async () => {
    browser.requestPermission.mockResolvedValue('denied');
    const { user } = renderInCity(<OrderMessages orderId={7} />);
    await user.click(turnOn());
    expect((await screen.findByRole('status')).textContent).toMatch(/blocked in the settings/);
    expect(calls).toEqual([]);
  });

  it('are subscribed again where the browser has another key', async () => {
    browser.known = { unsubscribe: browser.unsubscribe };
    browser.subscribe
      .mockRejectedValueOnce(new DOMException('another key', 'InvalidStateError'))
      .mockResolvedValueOnce({ toJSON });
    const { user } = renderInCity(<OrderMessages orderId={7} />);
    await user.click(turnOn());
    await screen.findByRole('button', { name: 'Turn notifications off' });
    expect(browser.unsubscribe).toHaveBeenCalledOnce();
  });

  it('say so where the browser cannot receive them', async () => {
    browser.subscribe.mockRejectedValue(new DOMException('no service', 'AbortError'));
    const { user } = renderInCity(<OrderMessages orderId={7} />);
    await user.click(turnOn());
    expect((await screen.findByRole('status')).textContent).toMatch(/could not be turned on/);
  });

  it('are not offered where there are none', () => {
    vi.stubGlobal('PushManager', undefined);
    Reflect.deleteProperty(window, 'PushManager');
    renderInCity(<OrderMessages orderId={7} />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

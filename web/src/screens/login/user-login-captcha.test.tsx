import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it, vi } from 'vitest';
import { askForCode, codeField, makeVerification, openLogin, type Sent } from '@/testing/login';
import { server } from '@/testing/server';

// The chunks of the dialogs are loaded before the clock of a test runs.
beforeAll(async () => {
  await import('./user-login-dialog');
});

it('loads the captcha only once the server requires it, and sends its token once, three seconds later', async () => {
  const page = await openLogin({
    site: { captcha: { provider: 'turnstile', site_key: 'key', always: false } },
  });
  expect(document.querySelector('script[src*="turnstile"]')).toBeNull();
  let solve: ((token: string) => void) | undefined;
  window.turnstile = {
    render: (_, options) => {
      solve = options.callback as typeof solve;
      return 'id';
    },
    remove: () => undefined,
  };
  const append = vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    expect((nodes[0] as HTMLScriptElement).src).toContain('challenges.cloudflare.com');
    window.onCaptchaReady?.();
  });
  server.use(
    http.post('*/api/user/login', async ({ request }) => {
      const body = (await request.json()) as Sent;
      page.asked.push(body);
      if (body.captcha_user_token) {
        return HttpResponse.json({ user: { verification: makeVerification() } });
      }
      const errors = { captcha_user_token: ['Show that you are no robot'] };
      return HttpResponse.json({ message: 'Captcha', errors }, { status: 422 });
    }),
  );
  const pressedAt = await askForCode(page);
  await screen.findByText('Show that you are no robot');
  await waitFor(() => expect(solve).toBeDefined());
  act(() => solve?.('token'));
  const button = screen.getByRole('button', { name: 'Get a code by SMS' });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull(), { timeout: 4000 });
  // Timers may fire a little early.
  expect(performance.now() - pressedAt).toBeGreaterThan(2990);
  await page.user.click(button);
  await waitFor(() => expect(page.asked).toHaveLength(2));
  expect(page.asked.map((one) => one.captcha_user_token)).toEqual([undefined, 'token']);
  append.mockRestore();
});

it('asks for the captcha again when the call with its token was refused', async () => {
  const site = { captcha: { provider: 'turnstile', site_key: 'key', always: true } } as const;
  const solvers: ((token: string) => void)[] = [];
  window.turnstile = {
    render: (_, options) => {
      solvers.push(options.callback as (token: string) => void);
      return 'id';
    },
    remove: () => undefined,
  };
  const append = vi
    .spyOn(document.head, 'append')
    .mockImplementation(() => window.onCaptchaReady?.());
  const page = await openLogin({ site });
  server.use(
    http.post('*/api/user/login', async ({ request }) => {
      const body = (await request.json()) as Sent;
      page.asked.push(body);
      return body.captcha_user_token === 'second'
        ? HttpResponse.json({ user: { verification: makeVerification() } })
        : HttpResponse.json({ message: 'Too many attempts' }, { status: 429 });
    }),
  );
  await askForCode(page);
  await screen.findByText('Confirm this first, and we will send the code.');
  await waitFor(() => expect(solvers).toHaveLength(1));
  act(() => solvers[0]?.('first'));
  await screen.findByText('Too many attempts');
  await waitFor(() => expect(solvers).toHaveLength(2));
  await page.user.click(screen.getByRole('button', { name: 'Get a code by SMS' }));
  await screen.findByText('Confirm this first, and we will send the code.');
  act(() => solvers[1]?.('second'));
  await codeField();
  expect(page.asked.map((one) => one.captcha_user_token)).toEqual(['first', 'second']);
  append.mockRestore();
});

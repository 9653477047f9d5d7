import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '@/api/client';
import { attempt, type Failure } from '@/api/result';
import { readLastCity } from '@/entities/city/remembered-city';
import { storeUser } from '@/entities/session/session';
import { usePageTitle } from '@/entities/site/page-title';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Spinner } from '@/ui/feedback/spinner';
import { flash } from '@/ui/flash/flash-store';
import { ButtonLink } from '@/ui/link';
import { signInTarget } from './sign-in-target';
import { type Return, readReturn, removeReturn } from './vk';

/**
 * The page that VK ID sends the visitor back to: it finishes the sign-in and continues with the stored intent.
 * VK's parameters are removed from the address at once, so that they are not stored in the history or sent
 * twice.
 */
export function VkCallbackPage() {
  const { t } = useLingui();
  usePageTitle(t({ id: 'login.sign-in-title', message: 'Sign in' }));
  const { outcome, from } = useFinishVk();
  return (
    <main className="mx-auto max-w-2xl px-4 py-10" aria-busy={outcome === undefined}>
      {outcome === undefined ? (
        <EmptyState
          icon={KeyRound}
          heading="h1"
          title={<Trans id="login.signing-in">Signing you in</Trans>}
        >
          <Spinner />
        </EmptyState>
      ) : (
        <EmptyState
          icon={KeyRound}
          heading="h1"
          title={<Trans id="login.vk.signing-in-by-vk">Signing in by VK did not work</Trans>}
          action={
            <span className="flex flex-wrap justify-center gap-3">
              <ButtonLink href={withLogin(from)}>
                {t({ id: 'login.vk.sign-in-another-way', message: 'Sign in another way' })}
              </ButtonLink>
              <ButtonLink look="secondary" href={from}>
                {t({ id: 'common.back', message: 'Back' })}
              </ButtonLink>
            </span>
          }
        >
          {('message' in outcome && outcome.message) || (
            <Trans id="login.vk.nothing-lost">
              Nothing was lost. Try again, or sign in by phone.
            </Trans>
          )}
        </EmptyState>
      )}
    </main>
  );
}

/** Returns an address that opens the sign-in over its page. */
const withLogin = (path: string, query = '') => `${path}?modal=user-login${query}`;

/** The failure, once there is one; after a success the visitor leaves the page. */
type Outcome = Failure | { kind: 'refused' };

/**
 * Finishes the sign-in with VK's parameters and leaves the page; when VK has sent no phone, the sign-in opens on the
 * page that the visitor left, to confirm one. Returns the failure, if any, and the address of that page.
 */
function useFinishVk() {
  const { t } = useLingui();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [outcome, setOutcome] = useState<Outcome>();
  const [shown] = useState(() => new URLSearchParams(location.search));
  const [back] = useState(readReturn);
  const from = back?.from ?? homePath();
  const isAsked = useRef(false);

  const finish = useEffectEvent(async () => {
    const body = {
      code: shown.get('code') ?? '',
      state: shown.get('state') ?? '',
      device_id: shown.get('device_id') ?? '',
    };
    // The visitor has refused at VK, or the address was opened without VK.
    if (!body.code || !body.state) {
      setOutcome({ kind: 'refused' });
      return;
    }
    const result = await attempt(api.POST('/user/vk/callback', { body }));
    if (result.kind !== 'ok') {
      setOutcome(result);
      return;
    }
    removeReturn();
    const { user, phone_required: needsPhone } = result.data;
    if (needsPhone || !user) {
      const order = back?.intent === 'order' ? '&intent=order' : '';
      navigate(withLogin(from, `&reason=phone${order}`), { replace: true });
      return;
    }
    flash(t({ id: 'login.signed-in', message: 'You are signed in' }), { tone: 'success' });
    navigate(targetOf(back, from), { replace: true });
    await storeUser(client, user);
  });
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    history.replaceState(history.state, '', location.pathname);
    void finish();
  }, []);
  return { outcome, from };
}

/** Returns the address of the menu of the city of the last visit, or of the list of cities. */
const homePath = () => {
  const city = readLastCity();
  return city ? `/${city}` : '/';
};

/**
 * Returns the address to go to after the sign-in: the target of the intent in the city of the page that the
 * visitor left, otherwise that page.
 */
function targetOf(back: Return | undefined, from: string): string {
  const [, city = ''] = from.split('/');
  const isDesktop = matchMedia('(min-width: 1024px)').matches;
  return signInTarget(back?.intent, { path: (path = '') => `/${city}${path}`, isDesktop }) ?? from;
}

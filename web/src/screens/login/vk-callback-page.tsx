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
 * Where VK ID sends the visitor back to: finishes the sign-in and continues with what they were about
 * to do. VK's parameters leave the address at once, so that they are neither kept nor sent twice.
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

/** Finishes the sign-in that VK ID has led back from. */
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

const homePath = () => {
  const city = readLastCity();
  return city ? `/${city}` : '/';
};

/** Returns where the visitor is led, in the city of the page that they left; without an intent, to that page. */
function targetOf(back: Return | undefined, from: string): string {
  const [, city = ''] = from.split('/');
  const isDesktop = matchMedia('(min-width: 1024px)').matches;
  return signInTarget(back?.intent, { path: (path = '') => `/${city}${path}`, isDesktop }) ?? from;
}

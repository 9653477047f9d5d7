import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '@/api/client';
import { idempotency } from '@/api/idempotency';
import { ApiFault, type Failure, fetchData } from '@/api/result';
import { readLastCity } from '@/entities/city/remembered-city';
import { storeUser } from '@/entities/session/session';
import { usePageTitle } from '@/entities/site/page-title';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Spinner } from '@/ui/feedback/spinner';
import { flash } from '@/ui/flash/flash-store';
import { ButtonLink } from '@/ui/link';

/**
 * The page of a one-time link, `/auth/link#secret`: it signs in and goes to the menu of the visitor's city. The
 * secret is removed from the address at once, so that it is not stored in the history or shared by accident.
 */
export function SignInLinkPage() {
  const { t } = useLingui();
  usePageTitle(t({ id: 'login.sign-in-title', message: 'Sign in' }));
  const { failure, retry } = useSignIn();
  return (
    <main className="mx-auto max-w-2xl px-4 py-10" aria-busy={failure === undefined}>
      {failure ? (
        <Refused failure={failure} onRetry={retry} />
      ) : (
        <EmptyState
          icon={KeyRound}
          heading="h1"
          title={<Trans id="login.signing-in">Signing you in</Trans>}
        >
          <Spinner />
        </EmptyState>
      )}
    </main>
  );
}

/**
 * Signs in with the link's token, stores the user and leads to the menu; removes the token from the address. Returns
 * the failure, if any, and the function that tries again.
 */
function useSignIn() {
  const { t } = useLingui();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [token] = useState(() => location.hash.slice(1));
  // The same key for every attempt: a link whose answer was lost is good for this page alone.
  const [header] = useState(idempotency);
  const isAsked = useRef(false);
  const { mutate: signIn, error } = useMutation({
    mutationFn: () => fetchData(api.POST('/user/sign-in', { body: { token }, params: { header } })),
    onSuccess: ({ user }) => {
      flash(t({ id: 'login.signed-in', message: 'You are signed in' }), { tone: 'success' });
      const city = readLastCity();
      navigate(city ? `/${city}` : '/', { replace: true });
      // The cart is another one now, with the customer's own presents and bonuses.
      return storeUser(client, user);
    },
  });
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    history.replaceState(history.state, '', location.pathname);
    signIn();
  }, [signIn]);
  const failure = error instanceof ApiFault ? error.failure : undefined;
  return { failure, retry: () => signIn() };
}

interface RefusedProps {
  failure: Failure;
  onRetry: () => void;
}

/** The failure: a used link needs a new link, any other failure can be tried again. */
function Refused({ failure, onRetry }: RefusedProps) {
  const { t } = useLingui();
  const city = readLastCity();
  const canRetry = ['offline', 'unavailable', 'server', 'tooMany'].includes(failure.kind);
  if (canRetry) {
    return (
      <EmptyState
        icon={KeyRound}
        heading="h1"
        title={
          <Trans id="login.sign-in-link.signing-in-did-not-work">Signing in did not work</Trans>
        }
        action={
          <Button onClick={onRetry}>{t({ id: 'common.try-again', message: 'Try again' })}</Button>
        }
      >
        {('message' in failure && failure.message) || (
          <Trans id="common.check-network">Check the network and try again.</Trans>
        )}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={KeyRound}
      heading="h1"
      title={
        <Trans id="login.sign-in-link.link-cannot-be-used-any">
          This link cannot be used any more
        </Trans>
      }
      action={
        <ButtonLink href={city ? `/${city}` : '/'}>
          {t({ id: 'common.to-menu', message: 'To the menu' })}
        </ButtonLink>
      }
    >
      <Trans id="login.sign-in-link.link-works-once">
        A link works once and for 15 minutes. Ask for a new one; you can order without it too.
      </Trans>
    </EmptyState>
  );
}

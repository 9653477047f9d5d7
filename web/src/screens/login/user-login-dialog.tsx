import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useCityAlias, useCityPath } from '@/entities/city/context';
import type { SignInParams } from '@/entities/session/require-sign-in';
import { storeUser, useUser } from '@/entities/session/session';
import { useSite } from '@/entities/site/context';
import { Button } from '@/ui/button';
import { showFailure } from '@/ui/feedback/show-failure';
import { Spinner } from '@/ui/feedback/spinner';
import { flash } from '@/ui/flash/flash-store';
import { useDesktop } from '@/ui/hooks/use-desktop';
import { useModalFrame } from '@/ui/modals/modal-frame';
import type { ModalName } from '@/ui/modals/modal-names';
import { openModal } from '@/ui/modals/modal-store';
import { Sheet } from '@/ui/sheet';
import type { Asked } from './asked';
import { CodeStep } from './code-step';
import { PhoneStep } from './phone-step';
import { signInTarget } from './sign-in-target';
import { usePhoneForm } from './use-phone-form';
import { useVerification } from './use-verification';
import { goToVk } from './vk';

/**
 * The dialog that signs in by a phone and a code sent to it. Where the site has no sign-in, or before a city is
 * chosen, another dialog opens instead.
 */
export default function UserLoginDialog(params: SignInParams) {
  const { is_auth_enabled: isEnabled } = useSite();
  const alias = useCityAlias();
  if (!isEnabled) return <OpenInstead name="order-status" />;
  // The phone masks and the language of the message depend on the city, so a city is chosen first.
  if (alias === null) return <OpenInstead name="cities" />;
  return <SignIn {...params} />;
}

/**
 * Opens another dialog in place of this one and shows nothing: an address may open the sign-in where it is not
 * possible.
 */
function OpenInstead({ name }: { name: Extract<ModalName, 'order-status' | 'cities'> }) {
  const { close } = useModalFrame();
  const replace = useEffectEvent(() => {
    close();
    openModal(name);
  });
  useEffect(() => replace(), []);
  return null;
}

/** The two steps of signing in: the phone, then the code. */
function SignIn({ intent, needsPhone = false, typed: given }: SignInParams) {
  const { t } = useLingui();
  const client = useQueryClient();
  const { guest_orders: canGuestsOrder } = useSite();
  const phone = useRef<HTMLInputElement>(null);
  const phoneForm = usePhoneForm(given);
  const [isChanging, setChanging] = useState(false);
  const { asked, isLoading, note, refresh, done } = useVerification();
  useContinue(intent);
  useReopenOnReload(asked !== undefined, intent);

  const changePhone = (problem?: string) => {
    setChanging(true);
    if (problem) phoneForm.refuse(problem);
    else phoneForm.form.clearErrors('phone');
  };
  const waitForCode = (next: Asked) => {
    setChanging(false);
    note(next);
  };
  const isAtCode = asked !== undefined && !isChanging;
  return (
    <Sheet
      title={
        isAtCode ? (
          <Trans id="login.user-login.enter-code">Enter the code</Trans>
        ) : (
          <Trans id="login.sign-in-title">Sign in</Trans>
        )
      }
      size="small"
      initialFocus={() => phone.current}
    >
      {isLoading && <Spinner />}
      {!isLoading && isAtCode && (
        <CodeStep
          asked={asked}
          joinsVk={needsPhone}
          onAsked={note}
          onStale={refresh}
          onChangePhone={changePhone}
          onSignedIn={(user) => {
            done();
            flash(t({ id: 'login.signed-in', message: 'You are signed in' }), { tone: 'success' });
            void storeUser(client, user);
          }}
        />
      )}
      {!isLoading && !isAtCode && (
        <>
          {intent === 'order' && !canGuestsOrder && (
            <p className="mb-4">
              <Trans id="login.user-login.sign-in-to-order">
                Sign in to order. Your cart will be kept.
              </Trans>
            </p>
          )}
          <PhoneStep
            phoneForm={phoneForm}
            asked={asked}
            onAsked={waitForCode}
            needsPhone={needsPhone}
            onVk={async () => {
              const from = location.pathname;
              const failure = await goToVk({ from, intent });
              if (failure) showFailure(failure);
            }}
            phoneRef={phone}
          />
          <OtherWays />
        </>
      )}
    </Sheet>
  );
}

/** Links to what a visitor can do without signing in. */
function OtherWays() {
  const { t } = useLingui();
  const { guest_orders: canGuestsOrder } = useSite();
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-3 border-t border-line pt-3">
      {canGuestsOrder && (
        <p className="text-note text-ink-soft">
          <Trans id="login.user-login.can-order-without-signing">
            You can order without signing in too.
          </Trans>
        </p>
      )}
      <span className="-mx-3">
        <Button look="quiet" size="small" onClick={() => openModal('order-status')}>
          {t({ id: 'common.where-my-order', message: 'Where is my order' })}
        </Button>
      </span>
    </div>
  );
}

/** Once the visitor is signed in, here or in another tab, closes the dialog and continues with `intent`. */
function useContinue(intent: SignInParams['intent']) {
  const { close } = useModalFrame();
  const { user, isLoading } = useUser();
  const [, navigate] = useLocation();
  const path = useCityPath();
  const isDesktop = useDesktop();
  const proceed = useEffectEvent(() => {
    const target = signInTarget(intent, { path, isDesktop });
    if (target === undefined || target === pageAddress()) close();
    else navigate(target);
  });
  const isKnown = user !== undefined && !isLoading;
  useEffect(() => {
    if (isKnown) proceed();
  }, [isKnown]);
}

/** Returns the address of the page under the dialog, without the parameters that open the dialog. */
function pageAddress(): string {
  const query = new URLSearchParams(location.search);
  query.delete('modal');
  query.delete('intent');
  return query.size > 0 ? `${location.pathname}?${query}` : location.pathname;
}

/** Names the dialog in the address while a code is waited for, so that a reload opens it again. */
function useReopenOnReload(isWaiting: boolean, intent: SignInParams['intent']) {
  useEffect(() => {
    if (!isWaiting) return;
    const query = new URLSearchParams(location.search);
    query.set('modal', 'user-login');
    if (intent === 'order') query.set('intent', intent);
    history.replaceState(history.state, '', `${location.pathname}?${query}`);
  }, [isWaiting, intent]);
}

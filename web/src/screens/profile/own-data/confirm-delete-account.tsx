import { Trans } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '@/api/client';
import { ApiFault, attempt } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';
import { useCity } from '@/entities/city/context';
import { isSignedOut } from '@/entities/session/ended-session';
import { useLeave } from '@/entities/session/sign-out';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { showFault } from '@/ui/feedback/show-failure';
import { ButtonLink } from '@/ui/link';
import { useModalFrame } from '@/ui/modals/modal-frame';
import { Sheet } from '@/ui/sheet';
import { useTabs } from '../tabs';

/**
 * The dialog that deletes the account: it lists what is deleted and what stays, shows a refusal, and confirms
 * the deletion.
 */
export default function ConfirmDeleteAccount() {
  const { close } = useModalFrame();
  const { refusal, isBusy, isDone, remove } = useRemoval();
  const { hrefOf } = useTabs();
  if (isDone) return <Deleted />;
  return (
    <Sheet
      title={<Trans id="profile.own-data.delete-question">Delete the account?</Trans>}
      size="small"
      footer={
        <div className="grid answers gap-2">
          <Button look="secondary" onClick={close} wide>
            {refusal ? (
              <Trans id="common.close">Close</Trans>
            ) : (
              <Trans id="common.keep-it">Keep it</Trans>
            )}
          </Button>
          {refusal ? (
            // The usual reason for a refusal is an unfinished order.
            <ButtonLink href={hrefOf('orders')} wide>
              <Trans id="profile.own-data.to-my-orders">To my orders</Trans>
            </ButtonLink>
          ) : (
            <Button look="danger" busy={isBusy} onClick={() => remove()} wide>
              <Trans id="profile.own-data.delete-for-good">Delete for good</Trans>
            </Button>
          )}
        </div>
      }
    >
      <div aria-live="polite">
        {refusal && (
          <div className="mb-4">
            <Notice
              tone="danger"
              title={
                <Trans id="profile.own-data.cannot-be-deleted-now">It cannot be deleted now</Trans>
              }
            >
              {refusal}
            </Notice>
          </div>
        )}
      </div>
      <Consequences />
    </Sheet>
  );
}

/** What is deleted with the account, and what stays. */
function Consequences() {
  const { bonus_programme: programme } = useCity();
  return (
    <>
      <h3 className="strong">
        <Trans id="profile.own-data.what-goes-at-once">What is deleted at once</Trans>
      </h3>
      <ul className="mt-1 list-disc ps-5">
        <li>
          <Trans id="profile.own-data.name-phone">your name, phone, birthday and e-mail</Trans>
        </li>
        <li>
          <Trans id="profile.own-data.saved-addresses-and-cart">
            your saved addresses and the cart
          </Trans>
        </li>
        <li>
          {programme ? (
            <Trans id="profile.own-data.bonuses-and-presents">
              your bonuses and gifts: they expire and do not come back
            </Trans>
          ) : (
            <Trans id="profile.own-data.presents-they-void">
              your gifts: they expire and do not come back
            </Trans>
          )}
        </li>
      </ul>
      <h3 className="mt-3 strong">
        <Trans id="profile.own-data.what-stays">What stays</Trans>
      </h3>
      <p className="mt-1">
        <Trans id="profile.own-data.orders-stay-in-books">
          Your orders stay in our books, as the law requires, but without your name, phone and
          address.
        </Trans>
      </p>
      <p className="mt-3 text-note text-ink-soft">
        <Trans id="profile.own-data.be-signed-out-everywhere">
          You will be signed out everywhere. This cannot be undone.
        </Trans>
      </p>
    </>
  );
}

/**
 * The sheet that the account was deleted. After it is closed in any way, the page is left, so that no data of
 * the customer stays on it.
 */
function Deleted() {
  const { close } = useModalFrame();
  useAfterUnmount(useLeave());
  return (
    <Sheet
      title={<Trans id="profile.own-data.account-deleted">The account is deleted</Trans>}
      size="small"
      footer={
        <Button onClick={close} wide>
          <Trans id="common.to-menu">To the menu</Trans>
        </Button>
      }
    >
      <Trans id="profile.own-data.thank-for-having-with-us">
        Thank you for having been with us. You are welcome to order again whenever you like.
      </Trans>
    </Sheet>
  );
}

/**
 * Runs `call` once the component is unmounted for good. In development React also unmounts and mounts each
 * component once at the start.
 */
function useAfterUnmount(call: () => void): void {
  const lastCall = useRef(call);
  const isMounted = useRef(false);
  useEffect(() => {
    lastCall.current = call;
  });
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      queueMicrotask(() => {
        if (isMounted.current) return;
        // A closing modal goes back in the history, which would undo a page opened before that. So the call waits.
        const isGoingBack = Boolean((history.state as { modalDepth?: number } | null)?.modalDepth);
        if (isGoingBack) addEventListener('popstate', () => lastCall.current(), { once: true });
        else lastCall.current();
      });
    };
  }, []);
}

/**
 * Returns the server's reason why the account cannot be deleted now, such as an unfinished order; undefined for
 * any other failure.
 */
function refusalOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiFault)) return undefined;
  const { failure } = error;
  const isRefusal = failure.kind === 'conflict' || failure.kind === 'invalid';
  return (isRefusal && failure.message) || undefined;
}

/**
 * Returns the function that deletes the account, with its state and the reason of a refusal. Any other failure
 * is shown over the page. The deletion ends every session, so after a lost answer an ended session says that the
 * account is deleted.
 */
function useRemoval() {
  const { close } = useModalFrame();
  const wasLost = useRef(false);
  const send = async () => {
    if (wasLost.current && (await isSignedOut())) return { kind: 'ok', data: {} } as const;
    const result = await attempt(api.DELETE('/user/remove'));
    if (result.kind === 'offline') wasLost.current = true;
    return result;
  };
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      const result = await repeatUntilKnown(send, { policy: repeatLost });
      if (result.kind !== 'ok') throw new ApiFault(result);
    },
    onError: (fault) => {
      if (refusalOf(fault)) return;
      showFault(fault);
      // The customer is no longer signed in, so this dialog has no account to delete.
      if (fault instanceof ApiFault && fault.failure.kind === 'unauthenticated') close();
    },
  });
  return { refusal: refusalOf(error), isBusy: isPending, isDone: isSuccess, remove: mutate };
}

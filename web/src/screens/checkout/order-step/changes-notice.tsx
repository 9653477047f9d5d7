import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { OrderChange } from '@/entities/cart/acknowledged/changes-since';
import { useOrderChanges } from '@/entities/cart/acknowledged/use-order-changes';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { useMoney } from '@/ui/money';
import { LostTime } from './lost-time';
import { focusOrderStep } from './order-step-focus';

const noticeId = 'order-changes';

/** Scrolls to the changes and focuses them: the order waits for the customer's tap there. */
export function focusChanges(): void {
  const notice = document.getElementById(noticeId);
  notice?.focus({ preventScroll: true });
  notice?.scrollIntoView({ block: 'center' });
}

/**
 * The changes of the order since the customer last agreed, each with the old and the new figure, and the button
 * that agrees; nothing when there are none and no order was refused because of changes.
 */
export function ChangesNotice() {
  const { changes, message, isRefused, isWaiting, agree } = useOrderChanges();
  useFocusOnRefusal(isRefused);
  const time = changes.find((change) => change.kind === 'time');
  const others = changes.filter((change) => change.kind !== 'time');
  // A lost time is settled by choosing another, not by agreeing. A refusal needs agreement even without a change.
  const needsTap = others.length > 0 || (isRefused && !time);
  const noteAgreed = useFocusAfterAgreeing(needsTap, isWaiting);
  const noteTimeTaken = useFocusAfterAgreeing(time !== undefined, isWaiting);
  return (
    <div role="alert" id={noticeId} tabIndex={-1} className="outline-offset-4 empty:hidden">
      {isWaiting && (
        <Notice
          tone="warn"
          title={
            time && others.length === 0 ? (
              <Trans id="checkout.order-step.chosen-time-gone">The chosen time is gone</Trans>
            ) : (
              message || (
                <Trans id="checkout.order-step.something-changed">Something has changed</Trans>
              )
            )
          }
        >
          {others.length > 0 && (
            <ul className="flex flex-col gap-1">
              {others.map((change) => (
                <li key={keyOf(change)}>
                  <ChangeText change={change} />
                </li>
              ))}
            </ul>
          )}
          {needsTap && (
            <div className="mt-2">
              <Button
                look="secondary"
                onClick={() => {
                  noteAgreed();
                  agree();
                }}
              >
                <Trans id="checkout.order-step.ok-got">OK, got it</Trans>
              </Button>
            </div>
          )}
          {time && <LostTime time={time.time} onTake={noteTimeTaken} />}
        </Notice>
      )}
    </div>
  );
}

/** Returns a React key of a change: its kind, and the item when it is about one. */
const keyOf = (change: OrderChange) => `${change.kind} ${'key' in change ? change.key : ''}`;

/** One change of the order in words. */
function ChangeText({ change }: { change: OrderChange }) {
  const { t } = useLingui();
  const money = useMoney();
  switch (change.kind) {
    case 'price':
    case 'package':
      return (
        <>
          {change.name}: <Figures before={money(change.before)} after={money(change.after)} />
        </>
      );
    case 'delivery':
      return (
        <>
          <Trans id="common.delivery">Delivery</Trans>:{' '}
          <Figures
            before={money(change.before)}
            after={
              change.after === 0 ? t({ id: 'common.free', message: 'free' }) : money(change.after)
            }
          />
        </>
      );
    case 'total':
      return (
        <span className="strong">
          <Trans id="common.total">Total</Trans>:{' '}
          <Figures before={money(change.before)} after={money(change.after)} />
        </span>
      );
    case 'count':
      return (
        <>
          {change.name}:{' '}
          <Figures
            before={t({ id: 'checkout.order-step.pieces', message: `${change.before} pcs` })}
            after={t({ id: 'checkout.order-step.pieces', message: `${change.after} pcs` })}
          />
        </>
      );
    case 'unavailable':
      return t({
        id: 'checkout.order-step.dish-unavailable',
        message: `${change.name} is not available now`,
      });
    case 'gone':
      return t({
        id: 'checkout.order-step.dish-removed',
        message: `${change.name} is no longer in the cart`,
      });
    case 'gift':
      if (change.reason) return change.reason;
      return change.after > 0
        ? t({
            id: 'checkout.order-step.gift-changed',
            message: `The gift “${change.name}”: ${change.before} → ${change.after}`,
          })
        : t({
            id: 'checkout.order-step.gift-removed',
            message: `The gift “${change.name}” is no longer in the cart`,
          });
    case 'promocode':
      return `${change.code}: ${change.text}`;
    case 'time':
      return null;
  }
}

/** The old figure and the new one. */
function Figures({ before, after }: { before: string; after: string }) {
  return (
    <span className="numeral whitespace-nowrap">
      <del className="text-ink-soft">{before}</del> → <ins className="no-underline">{after}</ins>
    </span>
  );
}

/** Moves the focus to the reason when an order was just refused. */
function useFocusOnRefusal(isRefused: boolean) {
  const wasRefused = useRef(isRefused);
  useEffect(() => {
    if (isRefused && !wasRefused.current) focusChanges();
    wasRefused.current = isRefused;
  }, [isRefused]);
}

/**
 * Returns a function to call when the customer agrees or takes another time. The pressed button is gone once that is no
 * longer needed: the focus moves to the order button, or to the changes that are left.
 */
function useFocusAfterAgreeing(needsTap: boolean, isWaiting: boolean): () => void {
  const hasAgreed = useRef(false);
  useEffect(() => {
    if (needsTap || !hasAgreed.current) return;
    hasAgreed.current = false;
    if (isWaiting) focusChanges();
    else focusOrderStep();
  }, [needsTap, isWaiting]);
  return () => {
    hasAgreed.current = true;
  };
}

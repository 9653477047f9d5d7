import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Button } from '@/ui/button';
import { Act } from './act';
import type { Next } from './machine';
import { Offer } from './offer';
import { Canceled, Checking, GivenBack, Kept, Paid, Returned } from './outcomes';
import { Panel } from './panel';
import { Challenge } from './secure/challenge';
import { Introduction } from './secure/introduction';
import { goToBank } from './targets';
import type { Paying } from './use-payment';

/** The panel of the payment's current view. */
export function PaymentBody({ paying }: { paying: Paying }) {
  const { view, payment, type } = paying;
  // The first panel is read with the page; only a panel that replaces it takes the focus.
  const [opened] = useState(view.kind);
  const isNew = view.kind !== opened;
  const [wasShown, setShown] = useState(false);
  useEffect(() => setShown(true), []);
  switch (view.kind) {
    case 'offer':
      // Another way to pay, or the same again after a refusal, is a form of its own.
      return (
        <Offer
          key={`${type} ${Boolean(paying.machine.refusal)}`}
          paying={paying}
          isNew={wasShown}
        />
      );
    case 'sending':
      return <Sending isLost={view.isLost} />;
    case 'leaving':
      return <Leaving next={view.next} />;
    case 'introducing':
      return (
        <>
          <AskingBank />
          <Introduction next={view.next} onOver={paying.endChallenge} />
        </>
      );
    case 'challenging':
      return (
        <>
          <AskingBank />
          <Challenge
            next={view.next}
            onOver={() => paying.endChallenge({ isConfirmed: true })}
            onClose={paying.closeChallenge}
          />
        </>
      );
    case 'act':
      return <Act next={view.next} paying={paying} isNew={isNew} />;
    case 'checking':
      if (view.next) return <Returned paying={paying} />;
      // Another key makes a new panel, whose heading takes the focus.
      return <Checking key={String(view.isLong)} payment={payment} isNew isLong={view.isLong} />;
    case 'paid':
      if (payment.status === 'canceled') return <Kept payment={payment} isNew={isNew} />;
      return <Paid payment={payment} isNew={isNew} />;
    case 'canceled':
      return <Canceled payment={payment} isNew={isNew} />;
    case 'refunding':
    case 'refunded':
      return <GivenBack payment={payment} isNew={isNew} />;
  }
}

/** The panel behind a frame of 3-D Secure. */
const AskingBank = () => (
  <Panel
    title={<Trans id="payment.body.bank-asks-to-confirm">Your bank asks you to confirm</Trans>}
    isNew
    busy
  />
);

/** The panel while an attempt is being sent, or after its answer was lost. */
function Sending({ isLost }: { isLost: boolean }) {
  // Another key makes a new panel, whose heading takes the focus.
  return (
    <Panel
      key={String(isLost)}
      title={
        isLost ? (
          <Trans id="payment.body.connection-lost">The connection was lost</Trans>
        ) : (
          <Trans id="payment.getting-payment-ready">Getting the payment ready</Trans>
        )
      }
      isNew
      busy
    >
      {isLost && (
        <p>
          <Trans id="payment.body.keep-page-open">
            Keep this page open: we are finding out what happened to the payment. You will not pay
            twice.
          </Trans>
        </p>
      )}
    </Panel>
  );
}

/** The panel while the browser opens the bank's page, with a button in case it does not. */
function Leaving({ next }: { next: Next }) {
  return (
    <Panel
      title={<Trans id="payment.body.opening-banks-page">Opening the bank’s page</Trans>}
      isNew
      busy
    >
      <Button look="secondary" size="large" wide onClick={() => goToBank(next)}>
        <Trans id="payment.go-on-to-bank">Continue to your bank</Trans>
      </Button>
    </Panel>
  );
}

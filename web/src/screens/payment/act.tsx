import { Trans } from '@lingui/react/macro';
import { Button } from '@/ui/button';
import type { Next } from './machine';
import { SberPayWaiting } from './methods/sberpay';
import { SbpPayment } from './methods/sbp';
import { Panel } from './panel';
import type { Paying } from './use-payment';

interface ActProps {
  next: Next;
  paying: Paying;
  isNew: boolean;
}

/**
 * The panel with the step that the customer has to take in a payment that has begun: in the bank's app, on the
 * phone or on the bank's page.
 */
export function Act({ next, paying, isNew }: ActProps) {
  switch (next.reason) {
    case 'sbp-mobile':
      return (
        <Panel
          title={<Trans id="payment.act.pay-in-banks-app">Pay in your bank’s app</Trans>}
          isNew={isNew}
        >
          <SbpPayment next={next} paying={paying} />
        </Panel>
      );
    case 'push':
      return (
        <Panel
          title={<Trans id="payment.act.confirm-on-phone">Confirm on your phone</Trans>}
          isNew={isNew}
        >
          <SberPayWaiting paying={paying} />
        </Panel>
      );
    case '3ds':
    case '3ds-v2':
      return (
        <Panel
          title={
            <Trans id="payment.act.bank-waiting-for-to-confirm">
              Your bank is waiting for you to confirm
            </Trans>
          }
          isNew={isNew}
        >
          <p>
            <Trans id="payment.act.no-money-taken-from-card">
              No money is taken from the card until you confirm.
            </Trans>
          </p>
          <Button size="large" wide onClick={paying.resume}>
            <Trans id="payment.confirm-at-bank">Confirm at your bank</Trans>
          </Button>
        </Panel>
      );
    default:
      return <OnBankPage paying={paying} isNew={isNew} />;
  }
}

/** The panel with the button that continues on the bank's page. */
function OnBankPage({ paying, isNew }: Omit<ActProps, 'next'>) {
  return (
    <Panel
      title={<Trans id="payment.act.payment-not-finished">The payment is not finished</Trans>}
      isNew={isNew}
    >
      <p>
        <Trans id="payment.act.continue-on-banks-page">
          Continue on the bank’s page. If you have already paid, wait here: this page will update by
          itself.
        </Trans>
      </p>
      <Button size="large" wide onClick={paying.resume}>
        <Trans id="payment.go-on-to-bank">Continue to your bank</Trans>
      </Button>
    </Panel>
  );
}

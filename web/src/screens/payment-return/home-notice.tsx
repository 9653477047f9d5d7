import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useUnpaidOrder } from '@/entities/payment-state/use-unpaid-order';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { type Outcome, outcomeOf } from './outcome';
import { OutcomeText, useOutcomeTitle } from './outcome-words';
import { NextSteps } from './ways-on';

/** Returns the tone of the notice for an outcome. */
const toneOf = (outcome: Outcome) => {
  if (outcome === 'paid') return 'good';
  return outcome === 'given-back' ? 'info' : 'warn';
};

/**
 * The notice on the home page of how the payment ended, until it is closed. Because anyone can write an address,
 * it shows only the server's state, and nothing where no order is stored on this device.
 */
export default function HomeNotice() {
  const { isLoading, order, payment } = useUnpaidOrder({ settled: true });
  const [isClosed, setClosed] = useState(false);
  const outcome = outcomeOf(payment);
  const title = useOutcomeTitle(outcome);
  if (isClosed) return null;
  return (
    <div role="status" className="px-4 pb-4 empty:hidden desktop:px-0">
      {order && !isLoading && (
        <Notice
          tone={toneOf(outcome)}
          title={title}
          action={
            <div className="flex flex-wrap gap-2">
              <NextSteps outcome={outcome} payment={payment} size="small" />
              <Button look="quiet" size="small" onClick={() => setClosed(true)}>
                <Trans id="common.close">Close</Trans>
              </Button>
            </div>
          }
        >
          <OutcomeText outcome={outcome} payment={payment} />
        </Notice>
      )}
    </div>
  );
}

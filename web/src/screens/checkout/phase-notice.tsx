import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { Failure } from '@/api/result';
import { useCity } from '@/entities/city/context';
import { callHref } from '@/lib/call-href';
import { Notice } from '@/ui/feedback/notice';
import { Link } from '@/ui/link';
import { reasonsOf } from './failure-reasons';
import type { OrderPhase } from './use-order';

/** The notice beside the order button that the order is being checked or has failed; nothing in other phases. */
export function PhaseNotice({ phase }: { phase: OrderPhase }) {
  return (
    <div role="alert" className="empty:hidden">
      {phase.kind === 'checking' && <Checking isResumed={phase.isResumed} />}
      {phase.kind === 'failed' && <Failed failure={phase.failure} />}
    </div>
  );
}

/**
 * The notice that an answer was lost and the order is being checked. On a page that was opened since, it scrolls into
 * view: the customer has not pressed the button beside it.
 */
function Checking({ isResumed = false }: { isResumed?: boolean }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isResumed) notice.current?.scrollIntoView({ block: 'center' });
  }, [isResumed]);
  return (
    <div ref={notice}>
      <Notice
        tone="warn"
        title={
          <Trans id="checkout.phase.checking-whether-order-got-through">
            Checking whether the order got through
          </Trans>
        }
      >
        <Trans id="checkout.phase.connection-lost">
          The connection was lost. Keep this page open: the order will not be placed twice.
        </Trans>
      </Notice>
    </div>
  );
}

/** The reason why the order was not placed, and the phone to call where that helps. */
function Failed({ failure }: { failure: Failure }) {
  const { phone } = useCity();
  const reasons = reasonsOf(failure);
  return (
    <Notice
      tone="danger"
      title={<Trans id="checkout.phase.order-not-placed">The order was not placed</Trans>}
    >
      {reasons.length > 0 ? (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : (
        <Trans id="checkout.phase.something-went-wrong-while-order">
          Something went wrong while the order was being placed.
        </Trans>
      )}
      {failure.kind === 'server' && failure.reference && (
        <p className="text-note">
          <Trans id="checkout.phase.reference-number">Reference number: {failure.reference}</Trans>
        </p>
      )}
      <p className="mt-1">
        <Trans id="checkout.phase.cart-and-details-kept">
          Your cart and details are kept. Try again or call <Phone phone={phone} />.
        </Trans>
      </p>
    </Notice>
  );
}

/** A phone number as a link that calls it. */
const Phone = ({ phone }: { phone: string }) => <Link href={callHref(phone)}>{phone}</Link>;

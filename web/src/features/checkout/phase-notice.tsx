import { Trans, useLingui } from '@lingui/react/macro';
import type { Failure } from '@/api/result';
import { useCity } from '@/features/city/context';
import { callHref } from '@/lib/phone';
import { Link } from '@/ui/link';
import { useMoney } from '@/ui/money';
import { Notice } from '@/ui/notice';
import type { CartChange, CartChanges } from './cart-changes';
import type { OrderPhase } from './use-order';

/** Says beside the order button what has become of the order, where it is neither open nor placed. */
export function PhaseNotice({ phase }: { phase: OrderPhase }) {
  return (
    <div role="alert" className="empty:hidden">
      {phase.kind === 'checking' && <Checking />}
      {phase.kind === 'changed' && <Changed {...phase} />}
      {phase.kind === 'failed' && <Failed failure={phase.failure} />}
    </div>
  );
}

const Checking = () => (
  <Notice tone="warn" title={<Trans>Checking whether the order got through</Trans>}>
    <Trans>The connection was lost. Keep this page open: the order will not be placed twice.</Trans>
  </Notice>
);

interface ChangedProps {
  message: string;
  changes?: CartChanges;
}

function Changed({ message, changes }: ChangedProps) {
  const money = useMoney();
  const isOtherTotal = changes && changes.total.before !== changes.total.after;
  return (
    <Notice tone="warn" title={message || <Trans>The order has changed</Trans>}>
      {changes && (
        <ul className="list-disc ps-4">
          {changes.lines.map((change) => (
            <li key={change.name}>
              <LineChange {...change} />
            </li>
          ))}
          {changes.delivery && (
            <li>
              <Trans>
                Delivery: {money(changes.delivery.before)} → {money(changes.delivery.after)}
              </Trans>
            </li>
          )}
        </ul>
      )}
      {isOtherTotal && (
        <p className="strong">
          <Trans>
            Total: {money(changes.total.before)} → {money(changes.total.after)}
          </Trans>
        </p>
      )}
      <p>
        <Trans>If it suits you, press the order button once more.</Trans>
      </p>
    </Notice>
  );
}

function LineChange({ name, kind, before, after }: CartChange) {
  const { t } = useLingui();
  const money = useMoney();
  switch (kind) {
    case 'gone':
      return t`${name} is no longer in the cart`;
    case 'unavailable':
      return t`${name} has run out`;
    case 'price':
      return t`${name}: ${money(before)} → ${money(after)}`;
    case 'count':
      return t`${name}: ${before} → ${after} pcs`;
  }
}

/** The order was certainly not placed: why, and whom to ask. */
function Failed({ failure }: { failure: Failure }) {
  const { phone } = useCity();
  const reasons = reasonsOf(failure);
  return (
    <Notice tone="danger" title={<Trans>The order was not placed</Trans>}>
      {reasons.length > 0 ? (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : (
        <Trans>Something went wrong while the order was being placed.</Trans>
      )}
      {failure.kind === 'server' && failure.reference && (
        <p className="text-note">
          <Trans>Reference number: {failure.reference}</Trans>
        </p>
      )}
      <p className="mt-1">
        <Trans>
          Your cart and details are kept. Try again or call <Phone phone={phone} />.
        </Trans>
      </p>
    </Notice>
  );
}

const Phone = ({ phone }: { phone: string }) => <Link href={callHref(phone)}>{phone}</Link>;

function reasonsOf(failure: Failure): string[] {
  if (failure.kind === 'offline') return [];
  const fields = failure.kind === 'invalid' ? Object.values(failure.fields) : [];
  return [...new Set([failure.message, ...fields])].filter(Boolean);
}

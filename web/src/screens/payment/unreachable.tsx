import { Trans } from '@lingui/react/macro';
import { Button } from '@/ui/button';

interface UnreachableProps {
  isBusy?: boolean;
  onRetry: () => void;
}

/** The text that a part of the payment service did not load, with a button that loads it again. */
export const Unreachable = ({ isBusy, onRetry }: UnreachableProps) => (
  <>
    <p>
      <Trans id="payment.attempts.could-not-reach-payment-service">
        We could not reach the payment service. Try again or choose another way to pay.
      </Trans>
    </p>
    <Button size="large" wide busy={isBusy} onClick={onRetry}>
      <Trans id="common.try-again">Try again</Trans>
    </Button>
  </>
);

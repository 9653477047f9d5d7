import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '@/api/types';
import { orderQuery, pollTime } from '@/entities/order/queries';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { useModalFrame } from '@/ui/modals/modal-frame';
import type { ModalParams } from '@/ui/modals/modal-names';
import { Sheet } from '@/ui/sheet';

/**
 * The question before an order is canceled, which cannot be undone. If the kitchen begins meanwhile, it shows
 * the state of the order instead.
 */
export default function ConfirmCancelOrder({
  orderId,
  status: seen,
  onConfirm,
}: ModalParams['confirm-cancel-order']) {
  const [isConfirmed, setConfirmed] = useState(false);
  // The dialog polls, because changes are pushed only on the order's page, not in a list of orders.
  const { data } = useQuery({ ...orderQuery(orderId), staleTime: 0, refetchInterval: pollTime });
  const status = data?.status ?? seen;
  // The outcome of a confirmed question is shown once the dialog has closed.
  if (!status.can_cancel && !isConfirmed) return <TooLate orderId={orderId} status={status} />;
  return (
    <ConfirmDialog
      title={<Trans id="tracking.cancel-order.title">Cancel order no. {orderId}?</Trans>}
      confirmLabel={<Trans id="common.cancel-order">Cancel the order</Trans>}
      cancelLabel={<Trans id="common.keep-it">Keep it</Trans>}
      danger
      onConfirm={() => {
        setConfirmed(true);
        return onConfirm();
      }}
    >
      {data && (
        <p>
          <Reason isPaid={data.payment?.state === 'paid'} isCooking={status.alias === 'cooking'} />
        </p>
      )}
    </ConfirmDialog>
  );
}

interface ReasonProps {
  isPaid: boolean;
  isCooking: boolean;
}

/** Why the order can still be canceled, and what becomes of the money. */
function Reason({ isPaid, isCooking }: ReasonProps) {
  // An order that is being cooked can be canceled only when it is late.
  if (isCooking) {
    return isPaid ? (
      <Trans id="tracking.cancel-order.late-paid">
        It will be later than agreed. What you paid goes back to you.
      </Trans>
    ) : (
      <Trans id="tracking.cancel-order.late-unpaid">
        It will be later than agreed. You pay nothing.
      </Trans>
    );
  }
  return isPaid ? (
    <Trans id="tracking.cancel-order.not-cooked-paid">
      We have not begun to cook it yet. What you paid goes back to you.
    </Trans>
  ) : (
    <Trans id="tracking.cancel-order.not-cooked-unpaid">
      We have not begun to cook it yet. You pay nothing.
    </Trans>
  );
}

interface TooLateProps {
  orderId: number;
  status: Schema<'OrderStatus'>;
}

/** The sheet that the order can no longer be canceled, with its state. */
function TooLate({ orderId, status }: TooLateProps) {
  const { close } = useModalFrame();
  return (
    <Sheet
      title={<Trans id="common.order-number">Order no. {orderId}</Trans>}
      size="small"
      footer={
        <Button look="secondary" wide onClick={close}>
          <Trans id="common.close">Close</Trans>
        </Button>
      }
    >
      <div role="status" className="flex flex-col gap-2">
        <p>{status.description}</p>
        {status.alias !== 'canceled' && (
          <p>
            <Trans id="tracking.cancel-order.too-late">
              It can no longer be canceled here. If something is wrong, call us.
            </Trans>
          </p>
        )}
      </div>
    </Sheet>
  );
}

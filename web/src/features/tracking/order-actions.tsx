import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '@/api/client';
import { idempotency } from '@/api/idempotency';
import { attempt, type Failure } from '@/api/result';
import type { Schema } from '@/api/types';
import { takeCart } from '@/features/cart/queries';
import { Button } from '@/ui/button';
import { openModal } from '@/ui/modals/modal-store';
import { showFailure } from '@/ui/show-failure';
import { orderQuery } from './queries';

/** What the customer may still do with an order: cancel it, or have it again. */
export function OrderActions({ order }: { order: Schema<'Order'> }) {
  const { can_cancel: canCancel, can_repeat: canRepeat } = order.status;
  return (
    <>
      {canRepeat && <RepeatButton orderId={order.order_id} />}
      {canCancel && <CancelButton orderId={order.order_id} />}
    </>
  );
}

function CancelButton({ orderId }: { orderId: number }) {
  const client = useQueryClient();
  // The same key for every try: a lost answer cancels nothing twice.
  const [header] = useState(idempotency);
  const cancel = async () => {
    const body = { order_id: orderId };
    const result = await attempt(api.POST('/order/cancel', { body, params: { header } }));
    if (result.kind === 'ok') {
      client.setQueryData(orderQuery(orderId).queryKey, result.data.order);
      return;
    }
    showFailure(result);
    // Perhaps it is being cooked already, which the page should show.
    await client.invalidateQueries({ queryKey: orderQuery(orderId).queryKey });
  };
  return (
    <Button
      look="secondary"
      onClick={() => openModal('confirm-cancel-order', { orderId, onConfirm: cancel })}
    >
      <Trans>Cancel the order</Trans>
    </Button>
  );
}

function RepeatButton({ orderId }: { orderId: number }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const header = useRef(idempotency());
  const repeat = async () => {
    setBusy(true);
    const body = { order_id: orderId };
    const params = { header: header.current };
    const result = await attempt(api.POST('/order/repeat', { body, params }));
    setBusy(false);
    if (result.kind !== 'ok') {
      showFailure(result);
      if (isAnswered(result)) header.current = idempotency();
      return;
    }
    header.current = idempotency();
    const { cart, city_alias: cityAlias, changes } = result.data;
    takeCart(client, cart);
    if (cart.count > 0) navigate(`/${cityAlias}/cart`);
    if (changes.length > 0) openModal('order-changes', { changes });
  };
  return (
    <Button busy={isBusy} onClick={() => void repeat()}>
      {t`Order it again`}
    </Button>
  );
}

/** Whether the server has decided; only then the next press is a new wish. */
const isAnswered = ({ kind }: Failure) => kind !== 'offline' && kind !== 'unavailable';

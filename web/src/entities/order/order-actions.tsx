import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '@/api/client';
import { idempotency } from '@/api/idempotency';
import { attempt, type Failure, fetchData } from '@/api/result';
import type { Schema } from '@/api/types';
import { storeCart } from '@/entities/cart/queries';
import { Button, type ButtonProps } from '@/ui/button';
import { showFailure, showFault } from '@/ui/feedback/show-failure';
import { flash } from '@/ui/flash/flash-store';
import { openModal } from '@/ui/modals/modal-store';
import { orderQuery } from './queries';

interface OrderActionsProps {
  order: Pick<Schema<'Order'>, 'order_id' | 'status'>;
  /** One order of many on the screen: the buttons are small and none of them is the main one. */
  inList?: boolean;
  /** Called when the order was canceled, or could not be canceled. */
  onChange?: () => void;
}

/** What the customer may still do with an order: cancel it, or repeat it. */
export function OrderActions({ order, inList = false, onChange }: OrderActionsProps) {
  const { can_cancel: canCancel, can_repeat: canRepeat } = order.status;
  const size = inList ? 'small' : 'medium';
  return (
    <>
      {canRepeat && (
        <RepeatButton
          id={inList ? undefined : 'repeat'}
          orderId={order.order_id}
          size={size}
          look={inList ? 'inviting' : 'primary'}
        />
      )}
      {canCancel && <CancelButton order={order} size={size} onChange={onChange} />}
    </>
  );
}

interface CancelButtonProps
  extends Pick<ButtonProps, 'size'>,
    Pick<OrderActionsProps, 'order' | 'onChange'> {}

/** Cancels the order once the customer has confirmed it. */
function CancelButton({ order, size, onChange }: CancelButtonProps) {
  const { order_id: orderId, status } = order;
  const client = useQueryClient();
  // The same key for every attempt: a lost answer cancels nothing twice.
  const [header] = useState(idempotency);
  const cancel = useMutation({
    mutationFn: () => {
      const body = { order_id: orderId };
      return fetchData(api.POST('/order/cancel', { body, params: { header } }));
    },
    onSuccess: ({ order: canceled }) => {
      client.setQueryData(orderQuery(orderId).queryKey, canceled);
      onChange?.();
    },
    onError: (error) => {
      showFault(error);
      onChange?.();
      // It may be cooking already, which the page should show.
      return client.invalidateQueries({ queryKey: orderQuery(orderId).queryKey });
    },
  });
  const onConfirm = () => cancel.mutateAsync();
  return (
    <Button
      look="secondary"
      size={size}
      onClick={() => openModal('confirm-cancel-order', { orderId, status, onConfirm })}
    >
      <Trans id="common.cancel-order">Cancel the order</Trans>
    </Button>
  );
}

interface RepeatButtonProps extends Pick<ButtonProps, 'size' | 'look' | 'id'> {
  orderId: number;
}

/** Puts the order's dishes into the cart. When something is in it, asks whether to add to it or to replace it. */
function RepeatButton({ orderId, ...shape }: RepeatButtonProps) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const restore = useRestoredCart();
  // The same key for every attempt of the same request: a lost answer fills the cart once.
  const headers = useRef(new Map<Mode, Header>());
  const repeat = useMutation({
    mutationFn: async (mode: Mode) => {
      const header = headers.current.get(mode) ?? idempotency();
      headers.current.set(mode, header);
      const body = { order_id: orderId, mode };
      const result = await attempt(api.POST('/order/repeat', { body, params: { header } }));
      if (result.kind === 'ok' || isAnswered(result)) headers.current.clear();
      return result;
    },
    onSuccess: (result, mode) => {
      // The mode `empty` is refused with the cart when something is in it.
      if (result.kind === 'conflict' && result.cart && mode === 'empty') {
        openModal('confirm-repeat', { onChoose: (chosen) => repeat.mutate(chosen) });
      } else if (result.kind === 'ok') {
        showRepeated(result.data, { isUndoable: mode !== 'empty' });
      } else {
        showFailure(result);
      }
    },
  });
  const showRepeated = (
    repeated: Schema<'OrderRepeat'>,
    { isUndoable }: { isUndoable: boolean },
  ) => {
    const { cart, city_alias: cityAlias, changes } = repeated;
    storeCart(client, cart);
    if (cart.count > 0) navigate(`/${cityAlias}/cart`);
    const header = idempotency();
    const undo = () => restore.mutate({ cityId: cart.city_id, header });
    if (changes.length > 0) {
      openModal('order-changes', { changes, onUndo: isUndoable ? undo : undefined });
    } else if (isUndoable) {
      flash(t({ id: 'order.order-actions.order-in-cart', message: 'The order is in your cart' }), {
        action: { label: t({ id: 'order.order-actions.undo', message: 'Undo' }), run: undo },
      });
    }
  };
  return (
    <Button {...shape} busy={repeat.isPending} onClick={() => repeat.mutate('empty')}>
      {t({ id: 'order.order-actions.order-again', message: 'Order again' })}
    </Button>
  );
}

type Mode = Schema<'RepeatMode'>;
type Header = ReturnType<typeof idempotency>;

/** Restores the cart as it was before an order was put into it. */
function useRestoredCart() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ cityId, header }: { cityId: number; header: Header }) =>
      fetchData(api.POST('/order/repeat/undo', { body: { city_id: cityId }, params: { header } })),
    onSuccess: ({ cart }) => storeCart(client, cart),
    onError: showFault,
  });
}

/** Reports whether the server has decided; only then the next press is a new request. */
const isAnswered = ({ kind }: Failure) => kind !== 'offline' && kind !== 'unavailable';

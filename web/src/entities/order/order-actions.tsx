import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '@/api/client';
import { idempotency } from '@/api/idempotency';
import { ApiFault, attempt, type Failure, fetchData } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';
import { storeCart } from '@/entities/cart/queries';
import { useCity } from '@/entities/city/context';
import { cityQuery } from '@/entities/city/queries';
import { Button, type ButtonProps } from '@/ui/button';
import { showFailure, showFault } from '@/ui/feedback/show-failure';
import { flash } from '@/ui/flash/flash-store';
import { openModal } from '@/ui/modals/modal-store';
import { orderQuery } from './queries';

interface OrderActionsProps {
  order: Pick<Schema<'Order'>, 'order_id' | 'status' | 'city_id' | 'city_alias'>;
  /** Whether the order is one of several on the screen; then the buttons are small and none is primary. */
  inList?: boolean;
  /** Called when the order was canceled, or could not be canceled. */
  onChange?: () => void;
}

/** The buttons to repeat and to cancel an order, as its status allows. */
export function OrderActions({ order, inList = false, onChange }: OrderActionsProps) {
  const { can_cancel: canCancel, can_repeat: canRepeat } = order.status;
  const size = inList ? 'small' : 'medium';
  return (
    <>
      {canRepeat && (
        <RepeatButton
          id={inList ? undefined : 'repeat'}
          order={order}
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

/** The button that cancels the order after a confirmation. */
function CancelButton({ order, size, onChange }: CancelButtonProps) {
  const { order_id: orderId, status } = order;
  const client = useQueryClient();
  // The same key for every attempt: a lost answer cancels nothing twice.
  const [header] = useState(idempotency);
  const cancel = useMutation({
    mutationFn: async () => {
      const body = { order_id: orderId };
      const result = await repeatUntilKnown(
        () => attempt(api.POST('/order/cancel', { body, params: { header } })),
        { policy: repeatLost },
      );
      if (result.kind !== 'ok') throw new ApiFault(result);
      return result.data;
    },
    onSuccess: async ({ order: canceled }) => {
      const { queryKey } = orderQuery(orderId);
      // A load that was sent before would overwrite it with an older state.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, canceled);
      onChange?.();
    },
    onError: (error) => {
      showFault(error);
      onChange?.();
      // The order may have moved on, so load it again.
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

interface RepeatButtonProps
  extends Pick<ButtonProps, 'size' | 'look' | 'id'>,
    Pick<OrderActionsProps, 'order'> {}

/**
 * The button that puts the order's dishes into the cart of the order's city. When that cart has lines, it asks
 * whether to add or to replace, and names the city when it is not the page's. Then it opens the cart unless that is
 * empty, and says what changed or that the cart is in another city. An undo is offered unless the cart was empty
 * before.
 */
function RepeatButton({ order, ...shape }: RepeatButtonProps) {
  const { t } = useLingui();
  const here = useCity();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const restore = useRestoredCart();
  // A mode keeps its key until the server has answered: a press after a lost answer must not fill the cart twice.
  const headers = useRef(new Map<Mode, Header>());
  const repeat = useMutation({
    mutationFn: async (mode: Mode) => {
      const header = headers.current.get(mode) ?? idempotency();
      headers.current.set(mode, header);
      const body = { order_id: order.order_id, mode };
      const result = await repeatUntilKnown(
        () => attempt(api.POST('/order/repeat', { body, params: { header } })),
        { policy: repeatLost },
      );
      if (result.kind === 'ok' || isAnswered(result)) headers.current.clear();
      return result;
    },
    onSuccess: async (result, mode) => {
      // The mode `empty` is refused with the cart when something is in it.
      if (result.kind === 'conflict' && result.cart && mode === 'empty') {
        await askMode().catch(showFault);
      } else if (result.kind === 'ok') {
        await showRepeated(result.data, { isUndoable: mode !== 'empty' }).catch(showFault);
      } else {
        showFailure(result);
      }
    },
  });
  /** Returns the city of the order in a phrase, such as "in Berlin"; undefined when it is that of the page. */
  const describeOtherCity = async () => {
    if (order.city_id === here.id) return undefined;
    return (await client.ensureQueryData(cityQuery(order.city_alias))).seo_name;
  };
  const askMode = async () => {
    openModal('confirm-repeat', {
      where: await describeOtherCity(),
      onChoose: (chosen) => repeat.mutate(chosen),
    });
  };
  const showRepeated = async (
    repeated: Schema<'OrderRepeat'>,
    { isUndoable }: { isUndoable: boolean },
  ) => {
    const { cart, city_alias: cityAlias, changes } = repeated;
    storeCart(client, cart);
    // The cart is filled already: it opens without the name of its city too.
    const where = await describeOtherCity().catch(() => undefined);
    if (cart.count > 0) navigate(`/${cityAlias}/cart`);
    const header = idempotency();
    const undo = () => restore.mutate({ cityId: cart.city_id, header });
    if (changes.length > 0) {
      openModal('order-changes', { changes, onUndo: isUndoable ? undo : undefined });
    } else if (isUndoable) {
      flash(t({ id: 'order.order-actions.order-in-cart', message: 'The order is in your cart' }), {
        action: { label: t({ id: 'order.order-actions.undo', message: 'Undo' }), run: undo },
      });
    } else if (where) {
      flash(
        t({
          id: 'order.order-actions.order-in-cart-there',
          message: `The order is in your cart ${where}`,
        }),
      );
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

/**
 * Returns the mutation that restores the cart as it was before an order was repeated. Its button leaves with the press,
 * so the message of a call that was lost has it again.
 */
function useRestoredCart() {
  const { t } = useLingui();
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: ({ cityId, header }: { cityId: number; header: Header }) =>
      fetchData(api.POST('/order/repeat/undo', { body: { city_id: cityId }, params: { header } })),
    onSuccess: ({ cart }) => storeCart(client, cart),
    onError: (error, lost) => {
      if (!(error instanceof ApiFault) || error.failure.kind !== 'offline') {
        showFault(error);
        return;
      }
      const message = t({
        id: 'ui.show-failure.no-connection',
        message: 'No connection. Check the network and try again.',
      });
      const label = t({ id: 'order.order-actions.undo', message: 'Undo' });
      flash(message, { tone: 'error', action: { label, run: () => restore.mutate(lost) } });
    },
  });
  return restore;
}

/** Reports whether the server has decided about a call; only then the next press is a new request with a new key. */
const isAnswered = ({ kind }: Failure) => kind !== 'offline' && kind !== 'unavailable';

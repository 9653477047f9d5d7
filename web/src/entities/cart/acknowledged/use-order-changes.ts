import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { keys } from '@/api/keys';
import { onServerClock } from '@/api/server-clock';
import { usePlace } from '@/entities/place/place';
import { useCart } from '../queries';
import { changesSince, isRemovalNotice, type OrderChange } from './changes-since';
import { acknowledgementIn, acknowledgements, agree } from './store';

/** The changes of the cart that the customer has not agreed to. */
export interface OrderChanges {
  changes: readonly OrderChange[];
  /** Why an order was refused, in the server's words. */
  message?: string;
  /** Whether an order was refused because of the changes. */
  isRefused: boolean;
  /** Whether the order must wait until the customer agrees. */
  isWaiting: boolean;
  /** Agrees to all changes except a lost time: another one has to be chosen. */
  agree: () => void;
}

/**
 * Returns the changes since the customer last agreed, with those for which the server refused an order, and the act of
 * agreeing. Without a cart there are none.
 */
export function useOrderChanges(): OrderChanges {
  const client = useQueryClient();
  const { cart } = useCart();
  const { cityId } = usePlace();
  const { agreed, refused } = useSyncExternalStore(
    acknowledgements.subscribe,
    () => acknowledgementIn(cityId),
    () => noAcknowledgement,
  );
  const changes = useMemo(
    () =>
      cart ? [...changesSince(agreed, cart, onServerClock()), ...(refused?.changes ?? [])] : [],
    [agreed, refused, cart],
  );
  return {
    changes,
    message: refused?.message,
    isRefused: refused !== undefined,
    isWaiting: changes.length > 0 || refused !== undefined,
    agree: () => {
      if (!cart) return;
      agree(cart);
      // The customer has now read why gifts were removed, so these notices are not shown again.
      const messages = cart.messages.filter((message) => !isRemovalNotice(message));
      client.setQueryData(keys.cart(cityId), { ...cart, messages });
    },
  };
}

const noAcknowledgement: ReturnType<typeof acknowledgementIn> = {};

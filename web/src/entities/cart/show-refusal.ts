import { t } from '@lingui/core/macro';
import type { Failure } from '@/api/result';
import { showFailure } from '@/ui/feedback/show-failure';
import { flash } from '@/ui/flash/flash-store';
import { openModal } from '@/ui/modals/modal-store';

/**
 * Shows why a change of the cart was refused. When the place was the reason, it opens the choice of a place
 * instead.
 */
export function showRefusal(failure: Failure): void {
  if (failure.kind === 'conflict') {
    flash(
      failure.message ||
        t({
          id: 'cart.show-refusal.something-changed',
          message: 'Something has changed. Check the cart.',
        }),
      { tone: 'warning' },
    );
    return;
  }
  if (failure.kind !== 'invalid') {
    showFailure(failure);
    return;
  }
  const place = placeReason(failure);
  const { fields, message } = failure;
  if (place !== undefined) openModal('order-types', { message: place || message });
  else showFailure({ ...failure, message: fields.product ?? message });
}

/** Shows a failure of a call that is being retried; without a network, that the change is kept and sent later. */
export function showRetrying(failure: Failure): void {
  if (failure.kind === 'offline') {
    flash(
      t({
        id: 'cart.show-refusal.no-connection',
        message: 'No connection. The cart is kept and sent when the network is back.',
      }),
      {
        tone: 'warning',
      },
    );
  } else {
    showFailure(failure);
  }
}

/** Returns why the place of the order was refused; undefined when a change was refused for another reason. */
export function placeReason(failure: Failure): string | undefined {
  if (failure.kind !== 'invalid') return undefined;
  const { delivery_address, shop_id, order_type } = failure.fields;
  return delivery_address ?? shop_id ?? order_type;
}

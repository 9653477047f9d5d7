import { Trans } from '@lingui/react/macro';
import { useCart } from '@/entities/cart/queries';
import { useIntervalWords } from '@/entities/intervals/interval-words';

/** When the order comes, with its day, beside the order button; nothing while no time is chosen. */
export function OrderTime() {
  const words = useIntervalWords();
  const { cart } = useCart();
  if (!cart?.interval) return null;
  const { line } = words(cart.interval);
  return (
    <p className="text-note">
      {cart.order_type === 'delivery' ? (
        <Trans id="checkout.order-time.delivery">Delivery: {line}</Trans>
      ) : (
        <Trans id="checkout.order-time.takeaway">Takeaway: {line}</Trans>
      )}
    </p>
  );
}

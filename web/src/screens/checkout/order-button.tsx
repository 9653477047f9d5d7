import { useLingui } from '@lingui/react/macro';
import { type MouseEvent, useId } from 'react';
import { useCart } from '@/entities/cart/queries';
import { useCity } from '@/entities/city/context';
import { useOrderer } from '@/entities/contact/use-orderer';
import { requireSignIn } from '@/entities/session/require-sign-in';
import { Button, keepFocus } from '@/ui/button';
import { useMoney } from '@/ui/money';
import { useIsTimeComing } from './intervals/use-is-time-coming';
import { ObstacleReason, SeeChanges, useOrderObstacle } from './order-step/order-step';
import { orderStepMark } from './order-step/order-step-focus';
import { OrderTime } from './order-time';

interface OrderButtonProps {
  isBusy: boolean;
  onOrder: () => void;
}

/**
 * The button that places the order, with the sum on it, or the reason why it cannot be pressed. In Germany it has
 * only the words that the law prescribes (§312j BGB). Where guests may not order, a visitor signs in first. While
 * the customer has to agree to changes, the button that leads to them takes its place. It cannot be pressed until the soonest time is there, which the page
 * chooses by itself: a press before would be lost, or order for a time that was not seen.
 */
export function OrderButton({ isBusy, onOrder }: OrderButtonProps) {
  const { t } = useLingui();
  const money = useMoney();
  const reasonId = useId();
  const { cart } = useCart();
  const obstacle = useOrderObstacle();
  const isGerman = useCity().country.code === 'DE';
  const mustSignIn = useOrderer().kind === 'must-sign-in';
  const isMissing = obstacle?.kind === 'minimum';
  const isTimeComing = useIsTimeComing();
  const isWaiting = isTimeComing && !obstacle && !mustSignIn && !isBusy;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // The fields are disabled while the order is sent, so the button keeps the focus.
    event.currentTarget.focus();
    if (mustSignIn) requireSignIn('order');
    else onOrder();
  };
  const words = () => {
    if (isMissing) {
      return t({
        id: 'checkout.more-to-order',
        message: `${money(obstacle.missing)} more to order`,
      });
    }
    if (isWaiting) {
      return t({ id: 'checkout.order-button.choosing-time', message: 'Choosing the time…' });
    }
    if (mustSignIn) return t({ id: 'checkout.sign-in-and-order', message: 'Sign in and order' });
    if (!isGerman) {
      return t({ id: 'checkout.order-button.place-order', message: 'Place the order' });
    }
    return t({
      id: 'checkout.order-button.order-with-obligation-to-pay',
      message: 'Order with obligation to pay',
    });
  };
  if (obstacle?.kind === 'changes' && !isBusy) return <SeeChanges />;
  return (
    <div {...orderStepMark} className="flex flex-col gap-2 outline-offset-4">
      {obstacle && !isBusy && (
        <div id={reasonId} className="text-note">
          <ObstacleReason obstacle={obstacle} />
        </div>
      )}
      <OrderTime />
      <Button
        size="large"
        wide
        busy={isBusy || isWaiting}
        disabled={obstacle !== undefined && !isBusy}
        aria-describedby={obstacle && reasonId}
        // The law allows no more than its words on the button; the total is above it.
        price={
          cart && !isMissing && !isWaiting && (mustSignIn || !isGerman)
            ? money(cart.prices.total)
            : undefined
        }
        onMouseDown={keepFocus}
        onClick={press}
      >
        {/* Larger letters take from the room at the sides, so that the long word of the law fits. */}
        <span className="mx-[calc(20px-1.25rem)] block">{words()}</span>
      </Button>
    </div>
  );
}

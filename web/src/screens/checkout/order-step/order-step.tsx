import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { useLocation } from 'wouter';
import { useOrderChanges } from '@/entities/cart/acknowledged/use-order-changes';
import { useCart } from '@/entities/cart/queries';
import { isUnpriced, type Obstacle, orderObstacle } from '@/entities/cart/rules';
import { useCity, useCityPath } from '@/entities/city/context';
import { useOrderer } from '@/entities/contact/use-orderer';
import { usePlace } from '@/entities/place/place';
import { requireSignIn } from '@/entities/session/require-sign-in';
import { Button } from '@/ui/button';
import { openModal } from '@/ui/modals/modal-store';
import { useMoney } from '@/ui/money';
import { focusChanges } from './changes-notice';
import { orderStepMark } from './order-step-focus';

/**
 * Returns the first reason why the visitor's cart cannot be ordered; undefined when it can. A cart that is not loaded
 * yet counts as empty. Every order button uses it.
 */
export function useOrderObstacle(): Obstacle | undefined {
  const { cart } = useCart();
  const place = usePlace();
  const city = useCity();
  const { isWaiting } = useOrderChanges();
  if (!cart) return { kind: 'empty' };
  return orderObstacle(cart, place, city) ?? (isWaiting ? { kind: 'changes' } : undefined);
}

interface OrderStepProps {
  /** Called when the button is pressed; without it the order's page opens. */
  onOrder?: () => void;
}

/**
 * The button that leads from the cart to the order, or first to the sign-in where the visitor has to be signed in.
 * An obstacle locks it and stands above it in words, but not while the first dishes are being added; changes put
 * the button that leads to them in its place.
 */
export function OrderStep({ onOrder }: OrderStepProps) {
  const { t } = useLingui();
  const money = useMoney();
  const path = useCityPath();
  const [, navigate] = useLocation();
  const { cart, count } = useCart();
  const obstacle = useOrderObstacle();
  const orderer = useOrderer();
  const reasonId = useId();
  if (obstacle?.kind === 'changes') return <SeeChanges />;
  const reason = cart && isUnpriced(cart, count) ? undefined : obstacle;
  const mustSignIn = orderer.kind === 'must-sign-in';
  const next = mustSignIn
    ? t({ id: 'checkout.sign-in-and-order', message: 'Sign in and order' })
    : t({ id: 'checkout.order-step.check-out', message: 'Check out' });
  const label =
    obstacle?.kind === 'minimum'
      ? t({ id: 'checkout.more-to-order', message: `${money(obstacle.missing)} more to order` })
      : next;
  const goOn = onOrder ?? (() => navigate(path('/cart')));
  return (
    <div {...orderStepMark} className="flex flex-col gap-2 outline-offset-4">
      {reason && (
        <div id={reasonId} className="text-note">
          <ObstacleReason obstacle={reason} />
        </div>
      )}
      <Button
        size="large"
        wide
        disabled={obstacle !== undefined}
        aria-describedby={reason && reasonId}
        price={cart && !obstacle ? money(cart.prices.total) : undefined}
        onClick={mustSignIn ? () => requireSignIn('order') : goOn}
      >
        {label}
      </Button>
    </div>
  );
}

/** The button that leads to the changes; it replaces the order button until the customer has agreed to them. */
export function SeeChanges() {
  const { t } = useLingui();
  const money = useMoney();
  const { cart } = useCart();
  return (
    <Button size="large" wide price={cart && money(cart.prices.total)} onClick={focusChanges}>
      {t({ id: 'checkout.order-step.see-what-changed', message: 'See what has changed' })}
    </Button>
  );
}

/** Why nothing can be ordered now, with a button that helps where there is one. */
export function ObstacleReason({ obstacle }: { obstacle: Obstacle }) {
  const { t } = useLingui();
  const money = useMoney();
  switch (obstacle.kind) {
    case 'stopped':
      return (
        obstacle.alert ||
        t({
          id: 'checkout.order-step.no-orders-taken-here-now',
          message: 'No orders are taken here now.',
        })
      );
    case 'empty':
      return t({ id: 'checkout.order-step.cart-empty', message: 'The cart is empty.' });
    case 'shop':
      return (
        <ChoosePlace
          orderType="takeaway"
          label={t({ id: 'checkout.order-step.choose-shop', message: 'Choose a shop' })}
        >
          {t({
            id: 'checkout.order-step.where-pick-order-up',
            message: 'Where will you pick the order up?',
          })}
        </ChoosePlace>
      );
    case 'address':
      return obstacle.isOutside ? (
        <ChoosePlace
          orderType="delivery"
          label={t({
            id: 'checkout.order-step.enter-another-address',
            message: 'Enter another address',
          })}
        >
          {t({
            id: 'checkout.order-step.not-delivered',
            message: 'We do not deliver to this address.',
          })}
        </ChoosePlace>
      ) : (
        <ChoosePlace
          orderType="delivery"
          label={t({ id: 'checkout.order-step.enter-address', message: 'Enter the address' })}
        >
          {t({
            id: 'checkout.order-step.where-shall-bring-order',
            message: 'Where shall we bring the order?',
          })}
        </ChoosePlace>
      );
    case 'line':
      return (
        <Trans id="checkout.order-step.dish-stopped">
          {obstacle.name} cannot be ordered now. Remove it to go on.
        </Trans>
      );
    case 'minimum':
      return t({
        id: 'checkout.order-step.minimum-order-for-address',
        message: `The minimum order for this address is ${money(obstacle.amount)}.`,
      });
    case 'changes':
      return null;
  }
}

interface ChoosePlaceProps {
  orderType: 'delivery' | 'takeaway';
  label: string;
  children: string;
}

/** A reason with the button that opens the choice of the place. */
function ChoosePlace({ orderType, label, children }: ChoosePlaceProps) {
  return (
    <span className="flex flex-wrap items-center justify-between gap-2">
      {children}
      <Button look="secondary" size="small" onClick={() => openModal('order-types', { orderType })}>
        {label}
      </Button>
    </span>
  );
}

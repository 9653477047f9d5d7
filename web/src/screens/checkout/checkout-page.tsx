import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { keys } from '@/api/keys';
import { CaptchaBox } from '@/entities/captcha/captcha-box';
import { useCart } from '@/entities/cart/queries';
import { useCityPath } from '@/entities/city/context';
import { paymentTypesQuery } from '@/entities/payment-state/queries';
import { usePlace } from '@/entities/place/place';
import { usePageTitle } from '@/entities/site/page-title';
import { classes } from '@/ui/classes';
import { useDesktop } from '@/ui/hooks/use-desktop';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import { noModals } from '@/ui/modals/modal-state';
import { modals } from '@/ui/modals/modal-store';
import { cartHeadingMark } from './cart/cart-focus';
import { CartFailed, CartSkeleton } from './cart/cart-panel';
import { CheckoutSections } from './checkout-sections';
import { focusNextField } from './focus';
import { OrderConsents } from './form/order-consents';
import { useProblemText } from './form/problem-text';
import { OrderButton } from './order-button';
import { ChangesNotice } from './order-step/changes-notice';
import { OrderStep } from './order-step/order-step';
import { OrderSummary } from './order-summary';
import { PhaseNotice } from './phase-notice';
import { readPendingOrder } from './send-order';
import { UnpaidOrderNotice } from './unpaid-order-notice';
import { useCheckout } from './use-checkout';

/**
 * The page of cart and checkout: two steps on phones, one on desktop. A change of the step moves the focus to
 * the heading.
 */
export function CheckoutPage() {
  const { t } = useLingui();
  usePageTitle(t({ id: 'checkout.checkout', message: 'Checkout' }));
  const path = useCityPath();
  const [query] = useSearchParams();
  const [, navigate] = useLocation();
  const { cart, isFailed, reload } = useCart();
  const step = query.get('step') === '2' ? 2 : 1;
  const isDesktop = useDesktop();
  const heading = useRef<HTMLHeadingElement>(null);
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    window.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }, [step]);
  // Load the payment types while the customer still reads the first step.
  useQuery(paymentTypesQuery(usePlace()));

  return (
    <main className="mx-auto flex min-h-(--full-height) max-w-6xl flex-col px-4 pt-3 desktop:block desktop:min-h-0 desktop:px-6 desktop:pb-12">
      <div className="pb-2">
        <p className="flex">
          <Link look="plain" href={step === 2 && !isDesktop ? path('/cart') : path()}>
            <span className="inline-flex min-h-11 items-center gap-1 text-ink-soft">
              <Icon of={ChevronLeft} size="small" />
              <span className={classes(step === 2 && 'hidden desktop:inline')}>
                <Trans id="checkout.back-to-menu">Back to the menu</Trans>
              </span>
              {step === 2 && (
                <span className="desktop:hidden">
                  <Trans id="checkout.back-to-cart">Back to the cart</Trans>
                </span>
              )}
            </span>
          </Link>
        </p>
        <h1 ref={heading} {...cartHeadingMark} className="title text-display outline-none">
          {step === 1 ? (
            <>
              <span className="desktop:hidden">
                <Trans id="common.cart">Cart</Trans>
              </span>
              <span className="hidden desktop:inline">
                <Trans id="checkout.checkout">Checkout</Trans>
              </span>
            </>
          ) : (
            <Trans id="checkout.checkout">Checkout</Trans>
          )}
        </h1>
      </div>
      {/* Ordering again cancels the unpaid order, so this stands before the fields. */}
      <UnpaidOrderNotice />
      {isFailed && <CartFailed onRetry={reload} />}
      {!isFailed && !cart && (
        <div className="min-h-(--full-height)">
          <CartSkeleton />
        </div>
      )}
      {cart && <Checkout step={step} onContinue={() => navigate(path('/cart?step=2'))} />}
    </main>
  );
}

/** The form and the summary of the order: both on desktop, one after the other on phones. */
function Checkout({ step, onContinue }: { step: 1 | 2; onContinue: () => void }) {
  const checkout = useCheckout();
  const { phase, isBusy, container } = checkout;
  const problemText = useProblemText(checkout.city.cash_limit);
  const isFresh = useIsFresh(step);
  useLeaveWhenEmpty(phase.kind === 'open');
  return (
    // Enter in a field moves to the next field; only the button orders.
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields inside
    <div
      ref={container}
      onKeyDown={(event) => {
        const { target } = event;
        if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
        event.preventDefault();
        focusNextField(event.currentTarget, target);
      }}
      className="flex flex-1 flex-col desktop:grid desktop:grid-cols-[minmax(0,1fr)_25rem] desktop:gap-10"
    >
      <div inert={isBusy} className={classes(step === 1 && 'hidden desktop:block')}>
        <CheckoutSections checkout={checkout} />
      </div>
      <OrderSummary
        step={step}
        notice={
          <>
            <ChangesNotice />
            <PhaseNotice phase={phase} />
            {checkout.captcha && <CaptchaBox {...checkout.captcha} />}
          </>
        }
        consents={
          <div inert={isBusy}>
            <OrderConsents
              form={checkout.form}
              problemText={problemText}
              consents={checkout.city.order_consents ?? []}
            />
          </div>
        }
        action={
          <>
            <div
              className={classes(
                step === 1 && 'hidden desktop:block',
                isFresh && 'pointer-events-none',
              )}
            >
              <OrderButton isBusy={isBusy} onOrder={checkout.order} />
            </div>
            {step === 1 && (
              <div className="desktop:hidden">
                <OrderStep onOrder={onContinue} />
              </div>
            )}
          </>
        }
      />
    </div>
  );
}

/** How long after a step has come the second press of a double press may be, in milliseconds. */
const longestPause = 500;

/**
 * Reports whether the step has only just come: the button of the step before was where the order button is now, and the
 * second press of a double press would order.
 */
function useIsFresh(step: 1 | 2): boolean {
  const [known, setKnown] = useState(step);
  useEffect(() => {
    const timer = setTimeout(() => setKnown(step), longestPause);
    return () => clearTimeout(timer);
  }, [step]);
  return known !== step;
}

/**
 * Goes to the menu once the cart is empty, while the checkout is open and no order is being sent. While the customer
 * signs in it stays: the guest's cart is empty, and theirs comes with the session.
 */
function useLeaveWhenEmpty(isOpen: boolean) {
  const path = useCityPath();
  const [, navigate] = useLocation();
  const { cityId } = usePlace();
  const { cart, count, isLoading, isChanging } = useCart();
  const { defaults } = useSyncExternalStore(modals.subscribe, modals.get, () => noModals);
  const isSigningIn = defaults.some(({ name }) => name === 'user-login');
  const client = useQueryClient();
  const isEmpty = isOpen && !isSigningIn && !isLoading && !isChanging && count === 0;
  const home = path();
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again at each cart that was read
  useEffect(() => {
    const isReading = client.isFetching({ queryKey: keys.cart(cityId) }) > 0;
    if (isEmpty && !isReading && !readPendingOrder(cityId)) navigate(home, { replace: true });
  }, [isEmpty, cart, cityId, home, navigate, client]);
}

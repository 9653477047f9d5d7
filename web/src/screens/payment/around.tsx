import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCityPath } from '@/entities/city/context';
import { usePlace } from '@/entities/place/place';
import { Button } from '@/ui/button';
import { Disclosure } from '@/ui/disclosure';
import { Notice } from '@/ui/feedback/notice';
import { Link } from '@/ui/link';
import type { PaymentAlias } from './machine';
import { onReceiptQuery } from './queries';
import type { Paying } from './use-payment';

interface AroundProps {
  /** Whether the last attempt failed. */
  isRefused: boolean;
}

/**
 * Buttons for the other online payment types of the order, folded until an attempt has failed; nothing when
 * there are none.
 */
export function OtherWays({ paying, isRefused }: AroundProps & { paying: Paying }) {
  const { payment, type, choose } = paying;
  const [isOpen, setOpen] = useState(false);
  const known = [payment.payment_type, ...payment.payment_types];
  // Each type once, without the chosen type.
  const others = known.filter(
    ({ alias }, place) => alias !== type && known.findIndex((one) => one.alias === alias) === place,
  );
  if (others.length === 0) return null;
  const title = <Trans id="payment.around.pay-another-way">Pay another way</Trans>;
  const list = (
    <ul className="flex flex-col gap-2">
      {others.map(({ alias, name }) => (
        <li key={alias}>
          <Button
            look="secondary"
            wide
            onClick={() => {
              setOpen(false);
              choose(alias);
            }}
          >
            {name}
          </Button>
        </li>
      ))}
    </ul>
  );
  if (isRefused) {
    return (
      <section className="flex flex-col gap-3 border-b border-line py-4">
        <h2 className="strong">{title}</h2>
        {list}
      </section>
    );
  }
  return (
    <Disclosure summary={title} open={isOpen} onToggle={setOpen}>
      {list}
    </Disclosure>
  );
}

/** A folded explanation of the chosen payment type. */
export function HowToPay({ type }: { type: PaymentAlias }) {
  return (
    <Disclosure summary={<Trans id="payment.around.how-paying-works">How paying works</Trans>}>
      <p className="text-ink-soft">
        <Help type={type} />
      </p>
    </Disclosure>
  );
}

/** The text that explains a payment type to customers who use it for the first time. */
function Help({ type }: { type: PaymentAlias }) {
  switch (type) {
    case 'sbp':
      return (
        <Trans id="payment.around.scan-code-with-phone">
          Scan the code with your phone or use the button to open your bank’s app, choose an account
          and confirm. No card number is needed.
        </Trans>
      );
    case 'sberpay':
      return (
        <Trans id="payment.around.enter-number-of-phone">
          Enter the number of the phone with SberBank Online. A request will come to the app: open
          it and confirm.
        </Trans>
      );
    case 'apple_pay':
    case 'google_pay':
      return (
        <Trans id="payment.around.press-button">
          Press the button, choose a card in your wallet and confirm.
        </Trans>
      );
    default:
      return (
        <Trans id="payment.around.enter-number">
          Enter the number, expiry date and CVC code of your card. The bank may ask you to confirm
          with a code from a message or in its app. We never see your card number.
        </Trans>
      );
  }
}

/** The notice that this is a demo and no money is moved. */
export function DemoNotice() {
  return (
    <Notice>
      <Trans id="payment.around.demo-no-money-moved">
        Demo: no money is moved. <TestCards />
      </Trans>
    </Notice>
  );
}

/** The link to the page with the test cards. */
function TestCards() {
  const { t } = useLingui();
  return (
    <Link href="/dev/sandbox/" target="_blank" rel="noreferrer">
      {t({ id: 'payment.around.test-cards', message: 'Test cards' })}
    </Link>
  );
}

/** The link back to the checkout; after a refusal with the payment types on receipt. */
export function BackToCheckout({ isRefused }: AroundProps) {
  return isRefused ? <PayOnReceipt /> : <CheckoutLink />;
}

/** The payment types on receipt with the link back to the checkout; only the link when there are none. */
function PayOnReceipt() {
  const { t } = useLingui();
  const path = useCityPath();
  const { data: [first, second] = [] } = useQuery(onReceiptQuery(usePlace()));
  if (!first) return <CheckoutLink />;
  const ways = second
    ? t({ id: 'payment.around.cash-or-card', message: 'Cash or card on receipt' })
    : first.name;
  return (
    <p>
      <Trans id="payment.around.on-receipt">
        {ways}: <Link href={path('/cart?step=2')}>back to the checkout</Link>
      </Trans>
    </p>
  );
}

/** The link back to the second step of the checkout. */
function CheckoutLink() {
  const path = useCityPath();
  return (
    <Link href={path('/cart?step=2')}>
      <Trans id="common.back-to-checkout">Back to the checkout</Trans>
    </Link>
  );
}

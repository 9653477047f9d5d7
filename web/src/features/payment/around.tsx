import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useCityPath } from '@/features/city/context';
import { Button } from '@/ui/button';
import { Disclosure } from '@/ui/disclosure';
import { Link } from '@/ui/link';
import { Notice } from '@/ui/notice';
import type { PaymentAlias } from './machine';
import type { Paying } from './use-payment';

/** Other ways to pay the same order online. */
export function OtherWays({ paying }: { paying: Paying }) {
  const { payment, type, choose } = paying;
  const [isOpen, setOpen] = useState(false);
  const known = [payment.payment_type, ...payment.payment_types];
  const others = known.filter(
    ({ alias }, place) => alias !== type && known.findIndex((one) => one.alias === alias) === place,
  );
  if (others.length === 0) return null;
  return (
    <Disclosure summary={<Trans>Pay another way</Trans>} open={isOpen} onToggle={setOpen}>
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
    </Disclosure>
  );
}

/** How one pays by the chosen way, in two sentences. */
export function HowToPay({ type }: { type: PaymentAlias }) {
  return (
    <Disclosure summary={<Trans>How paying works</Trans>}>
      <div className="flex flex-col gap-2 text-ink-soft">
        <p>
          <Help type={type} />
        </p>
        <p>
          <Trans>
            We hold your order until the time runs out. If you do not pay, it is canceled and your
            cart stays as it is.
          </Trans>
        </p>
      </div>
    </Disclosure>
  );
}

function Help({ type }: { type: PaymentAlias }) {
  switch (type) {
    case 'sbp':
      return (
        <Trans>
          Scan the code with your phone or use the button to open your bank’s app, choose an account
          and confirm. No card number is needed.
        </Trans>
      );
    case 'sberpay':
      return (
        <Trans>
          Enter the number of the phone with SberBank Online. A request will come to the app: open
          it and confirm.
        </Trans>
      );
    case 'apple_pay':
    case 'google_pay':
      return <Trans>Press the button, choose a card in your wallet and confirm.</Trans>;
    default:
      return (
        <Trans>
          Enter the number, expiry date and CVC code of your card. The bank may ask you to confirm
          with a code from a message or in its app. We never see your card number.
        </Trans>
      );
  }
}

/** Says quietly that it is not for real. */
export function DemoNotice() {
  return (
    <Notice>
      <Trans>
        Demo: no money is moved. <TestCards />
      </Trans>
    </Notice>
  );
}

function TestCards() {
  const { t } = useLingui();
  return (
    <Link href="/dev/sandbox/" target="_blank" rel="noreferrer">
      {t`Test cards`}
    </Link>
  );
}

export function BackToCheckout() {
  const path = useCityPath();
  return (
    <Link href={path('/cart?step=2')}>
      <Trans>Back to the checkout</Trans>
    </Link>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { Skeleton } from '@/ui/feedback/skeleton';
import { Spinner } from '@/ui/feedback/spinner';
import { useMoney } from '@/ui/money';
import { CardForm } from './card/card-form';
import { serverFieldOf } from './card/card-words';
import { wasRefused } from './machine';
import { SberPayForm } from './methods/sberpay';
import { SbpOffer } from './methods/sbp';
import { WalletOffer } from './methods/wallet';
import { Unreachable } from './unreachable';
import { usePanelFocus } from './use-panel-focus';
import type { Paying } from './use-payment';

interface OfferProps {
  paying: Paying;
  /** Whether it has replaced another offer or panel while the page was shown. */
  isNew: boolean;
}

/**
 * The form or button that begins a payment of the chosen type, below the reason why the last attempt failed. When it
 * has replaced what had the focus, it takes the focus as a part of the page with the name of the type.
 */
export function Offer({ paying, isNew }: OfferProps) {
  const offer = usePanelFocus<HTMLElement>(isNew);
  const { payment, type } = paying;
  const known = [payment.payment_type, ...payment.payment_types];
  return (
    <section
      ref={offer}
      aria-label={known.find(({ alias }) => alias === type)?.name}
      tabIndex={-1}
      className="flex flex-col gap-4 outline-none"
    >
      <LastFailure paying={paying} />
      {paying.isStarting ? <Starting /> : <PaymentWay paying={paying} />}
    </section>
  );
}

/** The text that the payment is being prepared. */
const Starting = () => (
  <p className="flex min-h-13 items-center gap-3">
    <Spinner silent />
    <Trans id="payment.getting-payment-ready">Getting the payment ready</Trans>
  </p>
);

/** The form or button of the chosen payment type; a skeleton while the acquirer's settings load. */
function PaymentWay({ paying }: { paying: Paying }) {
  const { type, settings, hasSettingsError } = paying;
  switch (type) {
    case 'sbp':
      return <SbpOffer paying={paying} />;
    case 'sberpay':
      return <SberPayForm paying={paying} />;
    case 'apple_pay':
      return <WalletOffer key={type} wallet={type} paying={paying} />;
    case 'google_pay':
      if (!settings)
        return hasSettingsError ? <NoSettings paying={paying} /> : <Skeleton shape="button" />;
      return <WalletOffer key={type} wallet={type} paying={paying} />;
    default:
      if (!settings)
        return hasSettingsError ? (
          <NoSettings paying={paying} />
        ) : (
          <Skeleton shape="button" count={3} />
        );
      return settings.card_form ? <CardForm paying={paying} /> : <RedirectOffer paying={paying} />;
  }
}

/** What is shown when the acquirer's settings did not load: without them it is not known where a card is entered. */
const NoSettings = ({ paying }: { paying: Paying }) => (
  <Unreachable isBusy={paying.areSettingsLoading} onRetry={paying.reloadSettings} />
);

/** The button that begins a payment on the acquirer's page. */
function RedirectOffer({ paying }: { paying: Paying }) {
  const { t } = useLingui();
  const money = useMoney();
  const { payment, machine, pay } = paying;
  return (
    <Button size="large" wide price={money(payment.total)} onClick={() => pay()}>
      {wasRefused(machine, payment)
        ? t({ id: 'payment.try-again', message: 'Try again or with another card' })
        : t({ id: 'payment.pay', message: 'Pay' })}
    </Button>
  );
}

const cardFields = [...Object.values(serverFieldOf), 'email'];

/** Returns the fields of the form of the chosen payment type, by the server's names. */
function fieldsOf({ type, settings }: Paying): string[] {
  if (type === 'sberpay') return ['phone'];
  return type === 'card_online' && settings?.card_form ? cardFields : [];
}

/**
 * The reason why the last attempt failed, in the server's words; nothing when there is none or the form's fields
 * show it.
 */
function LastFailure({ paying }: { paying: Paying }) {
  const { refusal, isChoosing } = paying.machine;
  const reason = refusal ? refusal.message : paying.payment.problem?.message;
  const refused = Object.keys(refusal?.fields ?? {});
  const shown = fieldsOf(paying);
  const isShownInForm = refused.length > 0 && refused.every((field) => shown.includes(field));
  if (!reason || isShownInForm || isChoosing) return null;
  return (
    <div role="alert">
      <Notice
        tone="danger"
        title={<Trans id="common.payment-did-not-go-through">The payment did not go through</Trans>}
      >
        {reason}
      </Notice>
    </div>
  );
}

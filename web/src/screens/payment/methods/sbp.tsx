import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/ui/button';
import { Disclosure } from '@/ui/disclosure';
import { useHydrated } from '@/ui/hooks/use-hydrated';
import { ButtonLink } from '@/ui/link';
import { useMoney } from '@/ui/money';
import type { Next } from '../machine';
import { isPhone, isSafeTarget, isTouched } from '../targets';
import type { Paying } from '../use-payment';
import { QrCode } from './qr-code';

/** After how many milliseconds a button appears below a code that is not visible. */
const buttonDelay = 5000;
/** The least visible height at which a phone can read the code, in pixels. */
const leastHeight = 50;

/**
 * The payment by SBP: on a phone a link into the bank's app, elsewhere a code to scan, with the link below the
 * code on touch screens.
 */
export function SbpPayment({ next, paying }: { next: Next; paying: Paying }) {
  const isHydrated = useHydrated();
  const link = isSafeTarget(next.payment_link) ? next.payment_link : undefined;
  // Without a code of the bank its link is drawn as one.
  const code = next.qr_code || link;
  if (!code) return <MissingCode paying={paying} />;
  // Only the browser knows whether it is on a phone.
  if (!isHydrated) return null;
  return link && isPhone() ? (
    <OnPhone code={code} link={link} />
  ) : (
    <BesidePhone code={code} link={link} />
  );
}

/** The link into the bank's app, with a folded code for another phone. */
function OnPhone({ code, link }: { code: string; link: string }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-soft">
        <Trans id="payment.methods.banks-app-open">
          Your bank’s app will open. Confirm the payment there and come back.
        </Trans>
      </p>
      <OpenBank link={link} />
      <Disclosure
        summary={<Trans id="payment.methods.pay-from-another-phone">Pay from another phone</Trans>}
      >
        <Code code={code} />
      </Disclosure>
    </div>
  );
}

/**
 * The code to scan with the phone. The link appears below it on touch screens, and after five seconds when the
 * code is not visible.
 */
function BesidePhone({ code, link }: { code: string; link: string | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  const [isUnseen, setUnseen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      const height = box.current?.getBoundingClientRect().height ?? 0;
      setUnseen(height < leastHeight);
    }, buttonDelay);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      <p className="text-ink-soft text-balance">
        <Trans id="payment.methods.scan-code-with-phones-camera">
          Scan the code with your phone’s camera and confirm the payment in your bank’s app.
        </Trans>
      </p>
      <div ref={box} className="flex w-full justify-center">
        <Code code={code} />
      </div>
      {(isUnseen || isTouched()) && link && <OpenBank link={link} />}
      <p className="text-note text-ink-soft">
        <Trans id="payment.methods.once-paid">
          Once you have paid, this page will update by itself.
        </Trans>
      </p>
    </div>
  );
}

/** The QR code, with its name for screen readers. */
function Code({ code }: { code: string }) {
  const { t } = useLingui();
  return (
    <QrCode
      text={code}
      label={t({
        id: 'payment.methods.qr-code-for-banks-app',
        message: 'QR code for your bank’s app',
      })}
    />
  );
}

/** The link that opens the bank's app. */
const OpenBank = ({ link }: { link: string }) => (
  <ButtonLink size="large" wide href={link} rel="noreferrer">
    <Trans id="payment.methods.open-banks-app">Open the bank’s app</Trans>
  </ButtonLink>
);

/** The text that the bank has sent neither a code nor a link, with a button that begins another attempt. */
const MissingCode = ({ paying }: { paying: Paying }) => (
  <div className="flex flex-col gap-3">
    <p>
      <Trans id="payment.methods.bank-not-sent-code">
        The bank has not sent the code. Ask for it again.
      </Trans>
    </p>
    <Button size="large" wide onClick={() => paying.pay()}>
      <Trans id="payment.methods.ask-for-code-again">Ask for the code again</Trans>
    </Button>
  </div>
);

/** The button that begins a payment by SBP. */
export function SbpOffer({ paying }: { paying: Paying }) {
  const { t } = useLingui();
  const money = useMoney();
  const { payment, machine, pay } = paying;
  const isAgain = Boolean(machine.refusal || payment.problem);
  return (
    <Button size="large" wide price={money(payment.total)} onClick={() => pay()}>
      {isAgain
        ? t({ id: 'payment.methods.ask-for-code-again', message: 'Ask for the code again' })
        : t({ id: 'payment.methods.pay-by-sbp', message: 'Pay by SBP' })}
    </Button>
  );
}

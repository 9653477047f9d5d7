import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useCity } from '@/entities/city/context';
import { useSite } from '@/entities/site/context';
import { Spinner } from '@/ui/feedback/spinner';
import { useMoney } from '@/ui/money';
import { Unreachable } from '../unreachable';
import type { Paying } from '../use-payment';
import { type GoogleSheet, prepareGooglePay } from './google-pay';
import { applePayMark, googlePayMark } from './wallet-marks';

type Wallet = 'apple_pay' | 'google_pay';

/**
 * The button of a wallet. It opens Google's sheet where the acquirer supports that, otherwise it pays on the
 * acquirer's page.
 */
export function WalletOffer({ wallet, paying }: { wallet: Wallet; paying: Paying }) {
  const { settings, pay } = paying;
  const [reloads, setReloads] = useState(0);
  if (wallet === 'google_pay' && settings?.gateway) {
    return <GoogleOffer key={reloads} paying={paying} onRetry={() => setReloads(reloads + 1)} />;
  }
  return <WalletButton wallet={wallet} paying={paying} onPress={() => pay()} />;
}

/** The button that opens Google's sheet, once it is prepared; a text when it cannot be used here or did not load. */
function GoogleOffer({ paying, onRetry }: { paying: Paying; onRetry: () => void }) {
  const { payment, settings, pay } = paying;
  const seller = useSite().name;
  const country = useCity().country.code;
  const [sheet, setSheet] = useState<GoogleSheet | 'unreachable' | 'none'>();
  const { total, currency } = payment;
  useEffect(() => {
    if (!settings) return;
    let isOver = false;
    void prepareGooglePay({ settings, total, currency, country, seller }).then((ready) => {
      if (!isOver) setSheet(ready);
    });
    return () => {
      isOver = true;
    };
  }, [settings, total, currency, country, seller]);
  if (sheet === undefined) return <Spinner />;
  if (sheet === 'unreachable') return <Unreachable onRetry={onRetry} />;
  if (sheet === 'none') {
    return (
      <p>
        <Trans id="payment.methods.google-pay-not-available">
          Google Pay is not available in this browser. Choose another way to pay.
        </Trans>
      </p>
    );
  }
  const press = async () => {
    const cryptogram = await sheet.open();
    if (cryptogram) pay({ cryptogram });
  };
  return <WalletButton wallet="google_pay" paying={paying} onPress={() => void press()} />;
}

const looks: Record<Wallet, { name: string; mark: string }> = {
  apple_pay: { name: 'Apple Pay', mark: applePayMark },
  google_pay: { name: 'Google Pay', mark: googlePayMark },
};

interface WalletButtonProps {
  wallet: Wallet;
  paying: Paying;
  onPress: () => void;
}

/** A button like the wallet's own: only its mark, light on dark or dark on light. */
function WalletButton({ wallet, paying, onPress }: WalletButtonProps) {
  const { t } = useLingui();
  const money = useMoney();
  const { name, mark } = looks[wallet];
  const total = money(paying.payment.total);
  return (
    <button
      type="button"
      aria-label={t({ id: 'payment.methods.pay-with', message: `Pay ${total} with ${name}` })}
      onClick={onPress}
      className="flex min-h-13 w-full items-center justify-center rounded-control bg-ink px-4 text-ground hover:brightness-110"
    >
      <svg aria-hidden="true" viewBox="0 0 24 24" className="h-13 fill-current">
        <path d={mark} />
      </svg>
    </button>
  );
}

import { useLingui } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import { Banknote, CreditCard, Smartphone, WalletCards } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Schema } from '@/api/types';
import { Icon } from '@/ui/icon';
import sbpMark from './marks/sbp.svg?no-inline';

type Alias = Schema<'PaymentTypeAlias'>;

const icons: Record<Exclude<Alias, 'sbp'>, LucideIcon> = {
  card_online: CreditCard,
  sberpay: Smartphone,
  apple_pay: WalletCards,
  google_pay: WalletCards,
  cash: Banknote,
  card: CreditCard,
};

/** The picture of a payment type: the mark of SBP, otherwise an icon. */
export function PaymentMark({ alias }: { alias: Alias }): ReactNode {
  if (alias === 'sbp') {
    return <img src={sbpMark} alt="" width={18} height={22} className="mx-0.5 shrink-0" />;
  }
  return (
    <span className="text-accent-ink">
      <Icon of={icons[alias]} size="large" />
    </span>
  );
}

/** Returns a function that describes in a few words how a payment type works. */
export function usePaymentHint(orderType: Schema<'OrderType'>): (alias: Alias) => string {
  const { t } = useLingui();
  return (alias) => {
    switch (alias) {
      case 'card_online':
        return t({ id: 'checkout.form.right-away', message: 'Credit or debit card' });
      case 'sbp':
        return t({
          id: 'checkout.form.in-banks-app',
          message: 'In your bank’s app, by QR code or link',
        });
      case 'sberpay':
        return t({
          id: 'checkout.form.confirm-in-sberbank-online',
          message: 'Confirm in SberBank Online',
        });
      case 'apple_pay':
      case 'google_pay':
        return t({ id: 'checkout.form.no-card-number-to-type', message: 'No card number to type' });
      case 'cash':
        return t({
          id: 'checkout.form.with-change-if-need',
          message: 'With change if you need it',
        });
      case 'card':
        return orderType === 'delivery'
          ? t({ id: 'checkout.form.courier-terminal', message: 'The courier has a terminal' })
          : t({ id: 'checkout.form.at-counter', message: 'At the counter' });
    }
  };
}

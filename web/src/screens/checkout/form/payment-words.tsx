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

/** The picture of a way to pay: the mark that people look for, or an icon. */
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

/** What a way to pay asks of the customer, in a few words. */
export function usePaymentHint(orderType: Schema<'OrderType'>): (alias: Alias) => string {
  const { t } = useLingui();
  return (alias) => {
    switch (alias) {
      case 'card_online':
        return t`Right away, by bank card`;
      case 'sbp':
        return t`In your bank’s app, by QR code or link`;
      case 'sberpay':
        return t`Confirm in SberBank Online`;
      case 'apple_pay':
      case 'google_pay':
        return t`No card number to type`;
      case 'cash':
        return t`With change if you need it`;
      case 'card':
        return orderType === 'delivery' ? t`The courier has a terminal` : t`At the counter`;
    }
  };
}

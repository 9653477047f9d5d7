import { lazy, useEffect, useState } from 'react';
import { withTexts } from '@/i18n/load';
import { LazyPart } from '@/ui/feedback/lazy-part';
import { comesFromPayment, withoutReturn } from './return-in-address';

// Loaded on demand, since few visitors come from a payment.
const HomeNotice = lazy(() => withTexts('payment-return', () => import('./home-notice')));

/**
 * The notice for a visitor who comes from a payment; nothing for others. It removes the mark of the payment from
 * the address.
 */
export function ReturnNotice() {
  const [hasCome, setCome] = useState(false);
  useEffect(() => {
    const { search, pathname, hash } = location;
    if (!comesFromPayment(search)) return;
    setCome(true);
    const rest = withoutReturn(search);
    if (rest !== null) history.replaceState(history.state, '', pathname + rest + hash);
  }, []);
  if (!hasCome) return null;
  return (
    <LazyPart>
      <HomeNotice />
    </LazyPart>
  );
}

import { lazy, useEffect, useState } from 'react';
import { withTexts } from '@/i18n/load';
import { LazyPart } from '@/ui/feedback/lazy-part';
import { comesFromPayment, withoutReturn } from './return-in-address';

// Few visitors come from a payment: the others load nothing of it.
const HomeNotice = lazy(() => withTexts('payment-return', () => import('./home-notice')));

/** Shows the notice to a visitor who comes from a payment, and removes the mark from the address. */
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

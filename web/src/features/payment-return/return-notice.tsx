import { lazy, Suspense, useEffect, useState } from 'react';
import { type PaymentReturn, paymentReturn, withoutReturn } from './return-in-address';

// Few visitors come from a payment: the others load nothing of it.
const HomeNotice = lazy(() => import('./home-notice'));

/** Notices at home that the visitor comes from a payment, and takes that out of the address. */
export function ReturnNotice() {
  const [told, setTold] = useState<PaymentReturn>();
  useEffect(() => {
    const { search, pathname, hash } = location;
    const found = paymentReturn(search);
    if (!found) return;
    setTold(found);
    const rest = withoutReturn(search);
    if (rest !== null) history.replaceState(history.state, '', pathname + rest + hash);
  }, []);
  if (!told) return null;
  return (
    <Suspense>
      <HomeNotice told={told} />
    </Suspense>
  );
}

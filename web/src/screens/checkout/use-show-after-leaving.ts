import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { Failure } from '@/api/result';
import { useCityPath } from '@/entities/city/context';
import { showFailure } from '@/ui/feedback/show-failure';
import { flash } from '@/ui/flash/flash-store';
import { reasonsOf } from './failure-reasons';

/**
 * Returns a function that shows over the page that the order was not placed and why, with a way back, if the
 * customer has left the checkout since. While the checkout is open the function does nothing. The failure is absent
 * when the page itself has refused the order.
 */
export function useShowAfterLeaving(): (failure?: Failure) => void {
  const { t } = useLingui();
  const path = useCityPath();
  const [, navigate] = useLocation();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return (failure) => {
    if (isShown.current) return;
    // Its number is only in the dialog.
    if (failure?.kind === 'server') showFailure(failure);
    const title = t({ id: 'checkout.phase.order-not-placed', message: 'The order was not placed' });
    flash([title, ...(failure ? reasonsOf(failure) : [])].join('. '), {
      tone: 'error',
      action: {
        label: t({ id: 'common.back-to-checkout', message: 'Back to the checkout' }),
        run: () => navigate(path('/cart?step=2')),
      },
    });
  };
}

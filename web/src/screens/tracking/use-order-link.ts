import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { api } from '@/api/client';
import { attempt } from '@/api/result';

/**
 * Opens an order by the secret of its own link (`?t=`) and takes the secret out of the address, so
 * that it is neither shared nor kept by accident. `done` also when there was none or it was refused.
 */
export function useOrderLink(orderId: number): 'opening' | 'done' {
  const [query] = useSearchParams();
  const [location, navigate] = useLocation();
  const [secret] = useState(() => query.get('t'));
  const [state, setState] = useState<'opening' | 'done'>(secret === null ? 'done' : 'opening');
  useEffect(() => {
    if (secret === null) return;
    let isGone = false;
    void attempt(api.POST('/order/status', { body: { order_id: orderId, link: secret } })).then(
      () => {
        // A refusal shows itself when the order is asked for.
        if (isGone) return;
        navigate(location, { replace: true });
        setState('done');
      },
    );
    return () => {
      isGone = true;
    };
  }, [orderId, secret, location, navigate]);
  return state;
}

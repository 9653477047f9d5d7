import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { api } from '@/api/client';
import { attempt } from '@/api/result';

/**
 * Opens an order by the secret of its link (`?t=`) and removes the secret from the address, so that it is not
 * shared or stored by accident. Returns `done` after that, also when there is no secret or the server has
 * refused it.
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
        // After a refusal, loading the order fails and the page shows that.
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

import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';

/**
 * Opens an order by the secret of its link (`?t=`). The state is `done` once the server has answered, also when there
 * is no secret or the server has refused it; then the secret leaves the address, so that it is not shared or stored by
 * accident. Without an answer the state is `lost`: the secret stays, and `open` tries again.
 */
export function useOrderLink(orderId: number) {
  const [query] = useSearchParams();
  const [location, navigate] = useLocation();
  const [secret] = useState(() => query.get('t'));
  const [state, setState] = useState<'opening' | 'lost' | 'done'>(
    secret === null ? 'done' : 'opening',
  );
  useEffect(() => {
    if (secret === null || state !== 'opening') return;
    let isGone = false;
    const send = () =>
      attempt(api.POST('/order/status', { body: { order_id: orderId, link: secret } }));
    const options = { policy: repeatLost, isAbandoned: () => isGone };
    void repeatUntilKnown(send, options).then(({ kind }) => {
      if (isGone) return;
      if (kind === 'offline' || kind === 'unavailable') {
        setState('lost');
        return;
      }
      // After a refusal, loading the order fails and the page shows that.
      navigate(location, { replace: true });
      setState('done');
    });
    return () => {
      isGone = true;
    };
  }, [orderId, secret, state, location, navigate]);
  return { state, open: () => setState('opening') };
}

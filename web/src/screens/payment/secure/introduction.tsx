import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent } from 'react';
import type { Next } from '../machine';
import { isSafeTarget, postForm } from '../targets';
import { useBankMessage } from './use-bank-message';

/** How long the hidden frame may take, in milliseconds. */
const maxWait = 5000;
const frameName = 'bank-introduction';

/**
 * The hidden frame of 3-D Secure 2, in which the bank collects data of the browser. Calls `onOver` when the
 * frame reports its end, or unconfirmed after five seconds.
 */
export function Introduction({
  next,
  onOver,
}: {
  next: Next;
  onOver: (end: { isConfirmed: boolean }) => void;
}) {
  const { t } = useLingui();
  const handleOver = useEffectEvent(onOver);
  useBankMessage(next, () => onOver({ isConfirmed: true }));
  useEffect(() => {
    const { threeDSMethodURL: url, threeDSMethodData: data = '' } = next.threeDS ?? {};
    if (!isSafeTarget(url)) {
      handleOver({ isConfirmed: false });
      return;
    }
    postForm(url, { threeDSMethodData: data }, frameName);
    const timer = setTimeout(() => handleOver({ isConfirmed: false }), maxWait);
    return () => clearTimeout(timer);
  }, [next]);
  return (
    <iframe
      name={frameName}
      title={t({ id: 'payment.secure.your-bank', message: 'Your bank' })}
      hidden
    />
  );
}

import { useEffect, useEffectEvent } from 'react';
import type { Next } from '../machine';

/** The message that our own page sends from inside the bank's frame when 3-D Secure is over. */
interface BankMessage {
  type: 'servery-3ds';
  transaction_id?: string;
}

/**
 * Calls `onOver` when our own page in a frame of 3-D Secure sends the message that this attempt's challenge is
 * over.
 */
export function useBankMessage({ transaction_id: ours }: Next, onOver: () => void): void {
  const handleMessage = useEffectEvent((event: MessageEvent) => {
    if (event.origin !== location.origin || !isBankMessage(event.data)) return;
    const theirs = event.data.transaction_id;
    // Without both ids the message counts as this attempt's.
    if (!ours || !theirs || ours === theirs) onOver();
  });
  useEffect(() => {
    const listener = (event: MessageEvent) => handleMessage(event);
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  }, []);
}

/** Reports whether the data of a message is a BankMessage. */
const isBankMessage = (data: unknown): data is BankMessage =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'servery-3ds';

import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { IconButton } from '@/ui/icon-button';
import type { Next } from '../machine';
import { isSafeTarget, postForm, threeDSFields } from '../targets';
import { useBankMessage } from './use-bank-message';

const frameName = 'bank-challenge';

interface ChallengeProps {
  next: Next;
  onOver: () => void;
  /** Called when the customer closes the bank's page. */
  onClose: () => void;
}

/**
 * The bank's own page of 3-D Secure in a frame, over everything else. Calls `onOver` at the end of the
 * challenge, and `onClose` also when the bank's address is not safe.
 */
export function Challenge({ next, onOver, onClose }: ChallengeProps) {
  const { t } = useLingui();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useEffectEvent(onClose);
  useBankMessage(next, onOver);
  useEffect(() => {
    const shown = dialog.current;
    // Without dialogs, as in Firefox 97, the frame lies over the page like any other element.
    shown?.showModal?.();
    if (isSafeTarget(next.AcsUrl)) postForm(next.AcsUrl, threeDSFields(next), frameName);
    else close();
    return () => shown?.close?.();
  }, [next]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="bank-challenge-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="fixed inset-0 z-50 m-auto flex h-full max-h-full w-screen max-w-full flex-col overflow-hidden bg-surface text-ink backdrop:bg-scrim min-[40rem]:h-[min(44rem,var(--full-height)*0.94)] min-[40rem]:w-[37.5rem] min-[40rem]:rounded-card"
    >
      <header className="flex items-center justify-between gap-3 ps-4 pe-2 py-2">
        <h2 id="bank-challenge-title" className="title text-lead">
          <Trans id="payment.confirm-at-bank">Confirm at your bank</Trans>
        </h2>
        <IconButton
          icon={X}
          label={t({ id: 'common.close', message: 'Close' })}
          onClick={onClose}
        />
      </header>
      {/* White in every theme, for the pages of banks that set no colours. */}
      <iframe
        name={frameName}
        title={t({ id: 'payment.secure.your-bank', message: 'Your bank' })}
        className="w-full flex-1 border-t border-line bg-[white] scheme-light"
      />
    </dialog>
  );
}

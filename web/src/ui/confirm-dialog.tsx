import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { Button } from './button';
import { useModalFrame } from './modals/modal-frame';
import { Sheet } from './sheet';

interface ConfirmDialogProps {
  /** The question. */
  title: ReactNode;
  /** What will happen. */
  children?: ReactNode;
  /** The act in a verb: "Empty the cart", not "Yes". */
  confirmLabel: ReactNode;
  cancelLabel?: ReactNode;
  /** For an act that cannot be undone. */
  danger?: boolean;
  /**
   * Called when the visitor confirms, before the dialog closes. When it returns a promise, the dialog stays open
   * and busy until the promise settles; the caller must show why it was rejected.
   */
  onConfirm: () => unknown;
}

/**
 * The content of a confirm modal: a question over another modal or the page, with a button that confirms and a
 * button that cancels.
 */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  cancelLabel,
  danger = false,
  onConfirm,
}: ConfirmDialogProps) {
  const { t } = useLingui();
  const { close } = useModalFrame();
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await Promise.allSettled([onConfirm()]);
    close();
  };
  return (
    <Sheet
      title={title}
      size="small"
      footer={
        <div className="grid answers gap-2">
          <Button look="secondary" onClick={close} wide>
            {cancelLabel ?? t({ id: 'ui.dialog.cancel', message: 'Cancel' })}
          </Button>
          <Button
            look={danger ? 'danger' : 'primary'}
            busy={isBusy}
            onClick={() => void confirm()}
            wide
          >
            {confirmLabel}
          </Button>
        </div>
      }
    >
      {children}
    </Sheet>
  );
}

import { Trans } from '@lingui/react/macro';
import { Button } from '@/ui/button';
import { useModalFrame } from '@/ui/modals/modal-frame';
import type { ModalParams } from '@/ui/modals/modal-names';
import { Sheet } from '@/ui/sheet';

/** The modal with a message of the server that belongs to no field and no place on the page. */
export default function ServerError({ message, reference }: ModalParams['server-error']) {
  const { close } = useModalFrame();
  return (
    <Sheet
      title={<Trans id="app.modals.error">Error</Trans>}
      size="small"
      footer={
        <Button onClick={close} wide>
          <Trans id="common.close">Close</Trans>
        </Button>
      }
    >
      <p>
        {message || (
          <Trans id="app.modals.order-service-did-not-answer">
            The order service did not answer as it should. Try again.
          </Trans>
        )}
      </p>
      {reference && (
        <p className="mt-2 text-note text-ink-soft">
          <Trans id="app.reference-number">Reference number: {reference}</Trans>
        </p>
      )}
    </Sheet>
  );
}

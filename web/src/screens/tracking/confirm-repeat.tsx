import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@/ui/button';
import { useModalFrame } from '@/ui/modals/modal-frame';
import type { ModalParams } from '@/ui/modals/modal-names';
import { Sheet } from '@/ui/sheet';

/** The question whether a repeated order is added to the dishes in the cart or replaces them. */
export default function ConfirmRepeat({ onChoose }: ModalParams['confirm-repeat']) {
  const { t } = useLingui();
  const { close } = useModalFrame();
  const choose = (mode: 'add' | 'replace') => {
    close();
    onChoose(mode);
  };
  return (
    <Sheet
      title={t({
        id: 'tracking.repeat.dishes-in-cart-already',
        message: 'There are dishes in your cart already',
      })}
      size="small"
      footer={
        <div className="grid grid-cols-1 gap-2 min-[24rem]:grid-cols-2">
          <Button look="secondary" onClick={() => choose('replace')} wide>
            <Trans id="tracking.repeat.replace-them">Replace them</Trans>
          </Button>
          <Button onClick={() => choose('add')} wide>
            <Trans id="tracking.repeat.add-to-them">Add to them</Trans>
          </Button>
        </div>
      }
    >
      <Trans id="tracking.repeat.shall-add-order-to-them">
        Shall we add this order to them or put it in their place?
      </Trans>
    </Sheet>
  );
}

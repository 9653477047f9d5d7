import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@/ui/button';
import { useModalFrame } from '@/ui/modals/modal-frame';
import type { ModalParams } from '@/ui/modals/modal-names';
import { Sheet } from '@/ui/sheet';

/**
 * The question whether a repeated order is added to the dishes in the cart or replaces them. It names the city of
 * the cart when that is not the page's, because that city opens then.
 */
export default function ConfirmRepeat({ where, onChoose }: ModalParams['confirm-repeat']) {
  const { t } = useLingui();
  const { close } = useModalFrame();
  const choose = (mode: 'add' | 'replace') => {
    close();
    onChoose(mode);
  };
  return (
    <Sheet
      title={
        where
          ? t({
              id: 'tracking.repeat.dishes-in-cart-there',
              message: `Your cart ${where} has dishes already`,
            })
          : t({
              id: 'tracking.repeat.dishes-in-cart-already',
              message: 'There are dishes in your cart already',
            })
      }
      size="small"
      footer={
        <div className="grid answers gap-2">
          <Button look="secondary" onClick={() => choose('replace')} wide>
            <Trans id="tracking.repeat.replace-them">Replace them</Trans>
          </Button>
          <Button onClick={() => choose('add')} wide>
            <Trans id="tracking.repeat.add-to-them">Add to them</Trans>
          </Button>
        </div>
      }
    >
      <p>
        <Trans id="tracking.repeat.shall-add-order-to-them">
          Shall we add this order to them or put it in their place?
        </Trans>
      </p>
      {where && (
        <p className="mt-2">
          <Trans id="tracking.repeat.other-city-opens">
            The menu and the cart {where} will open.
          </Trans>
        </p>
      )}
    </Sheet>
  );
}

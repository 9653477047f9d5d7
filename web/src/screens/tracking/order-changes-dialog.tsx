import { Trans, useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { Button } from '@/ui/button';
import { useModalFrame } from '@/ui/modals/modal-frame';
import type { ModalParams } from '@/ui/modals/modal-names';
import { Price } from '@/ui/price';
import { Sheet } from '@/ui/sheet';

/**
 * The dialog with the differences between a repeated order and the earlier order, and a button that undoes the
 * repeat.
 */
export default function OrderChangesDialog({ changes, onUndo }: ModalParams['order-changes']) {
  const { close } = useModalFrame();
  const undo = () => {
    close();
    onUndo?.();
  };
  return (
    <Sheet
      title={
        <Trans id="tracking.order-changes.not-everything-as-it-was">
          Not everything is as it was
        </Trans>
      }
      size="small"
      footer={
        <div className="flex flex-col gap-2">
          <Button onClick={close} wide>
            <Trans id="tracking.order-changes.continue">Continue</Trans>
          </Button>
          {onUndo && (
            <Button look="quiet" onClick={undo} wide>
              <Trans id="tracking.order-changes.bring-back-cart">
                Bring back the cart as it was
              </Trans>
            </Button>
          )}
        </div>
      }
    >
      <ul className="flex flex-col divide-y divide-line">
        {changes.map((change) => (
          <li key={`${change.kind} ${change.name}`} className="flex flex-wrap gap-x-3 py-2">
            <ChangedItem {...change} />
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

/**
 * One difference: a sentence for a promocode or gift, which is not carried over; a dish with its change beside
 * it.
 */
function ChangedItem(change: Schema<'OrderChange'>) {
  const { t } = useLingui();
  const { kind, name } = change;
  if (kind === 'promocode')
    return t({
      id: 'tracking.order-changes.promo-code-not-carried-over',
      message: `Promo code ${name} is not carried over`,
    });
  if (kind === 'gift') {
    return t({
      id: 'tracking.order-changes.gift-not-carried-over',
      message: `The gift “${name}” is not carried over: take it again if it is there`,
    });
  }
  return (
    <>
      <span className="min-w-0 grow basis-28">{name}</span>
      <span className="ms-auto text-end">
        <ChangeText {...change} />
      </span>
    </>
  );
}

/** The change of a dish in words, counts or prices. */
function ChangeText(change: Schema<'OrderChange'>) {
  const { t } = useLingui();
  const { kind, old_price: before, new_price: after } = change;
  const pieces = (count = 0) => t({ id: 'tracking.order-changes.pieces', message: `${count} pcs` });
  switch (kind) {
    case 'gone':
      return (
        <span className="text-ink-soft">
          {t({ id: 'tracking.order-changes.no-longer-sold', message: 'no longer sold' })}
        </span>
      );
    case 'stopped':
      return (
        <span className="text-ink-soft">
          {t({ id: 'tracking.order-changes.run-out', message: 'has run out' })}
        </span>
      );
    case 'modifiers':
      return (
        <span className="text-ink-soft">
          {t({
            id: 'tracking.order-changes.some-additions-gone',
            message: 'some additions are gone',
          })}
        </span>
      );
    case 'count':
      return (
        <span className="numeral">
          <del className="text-ink-soft">{pieces(change.old_count)}</del> {pieces(change.new_count)}
        </span>
      );
    case 'price':
      return (
        <span className="numeral">
          {before !== undefined && (
            <del className="text-ink-soft">
              <Price amount={before} />
            </del>
          )}{' '}
          {after !== undefined && <Price amount={after} />}
        </span>
      );
  }
}

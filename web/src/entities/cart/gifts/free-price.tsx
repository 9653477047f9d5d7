import { Trans } from '@lingui/react/macro';
import { useMoney } from '@/ui/money';
import { VisuallyHidden } from '@/ui/visually-hidden';

/** The word "free", with the usual price struck through unless it is zero. */
export function FreePrice({ worth }: { worth: number }) {
  const money = useMoney();
  return (
    <span className="whitespace-nowrap">
      <Trans id="common.free">free</Trans>
      {worth > 0 && (
        <>
          {' '}
          <VisuallyHidden>
            <Trans id="cart.gifts.usual-price">usual price:</Trans>{' '}
          </VisuallyHidden>
          <s className="numeral text-ink-soft">{money(worth)}</s>
        </>
      )}
    </span>
  );
}

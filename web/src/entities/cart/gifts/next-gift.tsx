import { Trans } from '@lingui/react/macro';
import { Gift as GiftDrawing } from 'lucide-react';
import { Icon } from '@/ui/icon';
import { VisuallyHidden } from '@/ui/visually-hidden';
import { useCart } from '../queries';
import { nextGift } from './rules';

/**
 * The nearest gift and the sum that is missing for it. Nothing while a minimum is not reached, because the
 * minimum matters more.
 */
export function NextGift() {
  const { cart } = useCart();
  const next = cart && !cart.minimum && nextGift(cart.gifts);
  if (!next) return null;
  return (
    <p className="flex items-start gap-2 pb-3 text-note">
      <span className="text-accent-ink">
        <Icon of={GiftDrawing} size="small" />
      </span>
      <span className="min-w-0">
        <VisuallyHidden>
          <Trans id="cart.gift">Gift</Trans>:{' '}
        </VisuallyHidden>
        <span lang={next.gift.lang} className="strong">
          {next.gift.name}.
        </span>{' '}
        {next.step}
      </span>
    </p>
  );
}

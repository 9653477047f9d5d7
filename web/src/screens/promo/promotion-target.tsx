import { Trans, useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useCityPath } from '@/entities/city/context';
import { Button } from '@/ui/button';
import { ButtonLink } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';

/** Reports whether a promotion leads to a product or to a group of the menu. */
export const hasTarget = ({ group, product_key }: Schema<'Promotion'>) =>
  group !== undefined || product_key !== undefined;

/** The button of a promotion that opens its product or leads to its group; nothing where it leads nowhere. */
export function PromotionTarget({ promotion }: { promotion: Schema<'Promotion'> }) {
  const { t } = useLingui();
  const path = useCityPath();
  const { name, group, product_key: productKey } = promotion;
  if (productKey)
    return (
      // Without script nothing would open.
      <span className="noscript:hidden">
        <Button
          aria-haspopup="dialog"
          aria-label={t({ id: 'promo.target.order-of', message: `Order: ${name}` })}
          onClick={() => openModal('product', { productKey })}
        >
          <Trans id="promo.target.order">Order</Trans>
        </Button>
      </span>
    );
  if (!group) return null;
  return (
    <ButtonLink
      href={path(`?group=${encodeURIComponent(group)}`)}
      aria-label={t({ id: 'promo.target.menu-of', message: `Go to the menu: ${name}` })}
    >
      <Trans id="promo.target.menu">Go to the menu</Trans>
    </ButtonLink>
  );
}

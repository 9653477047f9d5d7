import { Trans, useLingui } from '@lingui/react/macro';
import { SearchX } from 'lucide-react';
import { useCity } from '@/entities/city/context';
import { EmptyState } from '@/ui/feedback/empty-state';
import type { ModalParams } from '@/ui/modals/modal-names';
import { Picture } from '@/ui/picture';
import { RichText } from '@/ui/rich-text';
import { Sheet } from '@/ui/sheet';
import { hasTarget, PromotionTarget } from './promotion-target';

/** The dialog with the full text of a promotion and the way to what it is about, or that the promotion is over. */
export default function PromoDialog({ alias }: ModalParams['promo']) {
  const { t } = useLingui();
  const promotion = useCity().promotions.find((one) => one.alias === alias);
  if (!promotion) {
    return (
      <Sheet title={t({ id: 'promo.promotion', message: 'Promotion' })}>
        <EmptyState
          icon={SearchX}
          title={<Trans id="promo.promotion-over">This promotion is over</Trans>}
        />
      </Sheet>
    );
  }
  return (
    <Sheet
      title={<span lang={promotion.lang}>{promotion.name}</span>}
      footer={hasTarget(promotion) ? <PromotionTarget promotion={promotion} /> : undefined}
    >
      <div lang={promotion.lang} className="grid gap-4">
        <Picture picture={promotion.images.big} alt="" shape="banner" />
        {promotion.subtitle && <p className="strong">{promotion.subtitle}</p>}
        <RichText html={promotion.description} />
      </div>
    </Sheet>
  );
}

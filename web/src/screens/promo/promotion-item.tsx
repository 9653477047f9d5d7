import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import type { Schema } from '@/api/types';
import { Button } from '@/ui/button';
import { classes } from '@/ui/classes';
import { openModal } from '@/ui/modals/modal-store';
import { Picture } from '@/ui/picture';
import { RichText } from '@/ui/rich-text';
import { PromotionTarget } from './promotion-target';

/** Returns the id of a promotion's element, which links lead to. */
export const promotionElementId = (alias: string) => `promotion-${alias}`;

interface PromotionItemProps {
  promotion: Schema<'Promotion'>;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  eager: boolean;
}

/**
 * A promotion with the button that leads to what it is about, and one that opens its text: in place on phones, in a
 * dialog on desktop. Without script the text is open.
 */
export function PromotionItem({ promotion, isOpen, onToggle, eager }: PromotionItemProps) {
  const { t } = useLingui();
  const wordsId = useId();
  const { alias, name } = promotion;
  return (
    <article
      id={promotionElementId(alias)}
      className={classes(
        'h-full overflow-hidden rounded-card bg-surface p-3',
        isOpen && 'outline-2 -outline-offset-2 outline-accent-ink',
      )}
    >
      <Picture picture={promotion.images.big} alt="" shape="banner" eager={eager} />
      <h2 lang={promotion.lang} className="title mt-3 text-lead">
        {name}
      </h2>
      {promotion.subtitle && (
        <p lang={promotion.lang} className="text-ink-soft">
          {promotion.subtitle}
        </p>
      )}
      <div
        id={wordsId}
        lang={promotion.lang}
        className={classes('mt-3', isOpen ? 'desktop:hidden' : 'hidden noscript:block')}
      >
        <RichText html={promotion.description} />
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <PromotionTarget promotion={promotion} />
        <span className="desktop:hidden noscript:hidden">
          <Button
            look="secondary"
            aria-expanded={isOpen}
            aria-controls={wordsId}
            aria-label={
              isOpen
                ? t({ id: 'promo.item.less-about', message: `Less about: ${name}` })
                : t({ id: 'promo.item.more-about', message: `More about: ${name}` })
            }
            onClick={() => onToggle(!isOpen)}
          >
            {isOpen ? (
              <Trans id="promo.item.less">Less</Trans>
            ) : (
              <Trans id="promo.item.more">More</Trans>
            )}
          </Button>
        </span>
        <span className="hidden desktop:block noscript:hidden!">
          <Button
            look="secondary"
            aria-haspopup="dialog"
            aria-label={t({ id: 'promo.item.more-about', message: `More about: ${name}` })}
            onClick={() => {
              onToggle(true);
              openModal('promo', { alias });
            }}
          >
            <Trans id="promo.item.more">More</Trans>
          </Button>
        </span>
      </div>
    </article>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { useCity } from '@/entities/city/context';
import { EmptyState } from '@/ui/feedback/empty-state';
import { ButtonLink } from '@/ui/link';
import type { ModalParams } from '@/ui/modals/modal-names';
import { Picture } from '@/ui/picture';
import { Sheet } from '@/ui/sheet';
import { recordShown, snoozeBanners } from './banner-rules';

/**
 * The dialog with an offer of the brand. It stores that the banner was shown; for a minute after closing no
 * banner opens.
 */
export default function BannerDialog({ bannerId }: ModalParams['marketing-banner']) {
  const { t } = useLingui();
  const banner = useCity().banners.find(({ id }) => id === bannerId);
  useEffect(() => {
    recordShown(bannerId);
    return () => snoozeBanners();
  }, [bannerId]);
  if (!banner) {
    return (
      <Sheet title={t({ id: 'marketing.offer', message: 'Offer' })} size="small">
        <EmptyState
          icon={SearchX}
          title={<Trans id="marketing.offer-over">This offer is over</Trans>}
        />
      </Sheet>
    );
  }
  const { images, click_url: href, button_text: words } = banner;
  return (
    <Sheet
      title={<span lang={banner.lang}>{banner.name}</span>}
      size="small"
      footer={
        href && words ? (
          <ButtonLink href={href} wide>
            <span lang={banner.lang}>{words}</span>
          </ButtonLink>
        ) : undefined
      }
    >
      <div className="grid gap-4">
        {images.big && <Picture picture={images.big} alt="" shape="banner" />}
        {banner.description && (
          <p lang={banner.lang} className="whitespace-pre-line">
            {banner.description}
          </p>
        )}
      </div>
    </Sheet>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { TicketPercent } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { useCity, useCityPath } from '@/entities/city/context';
import { usePageTitle } from '@/entities/site/page-title';
import { CityWords } from '@/entities/words/city-words';
import { EmptyState } from '@/ui/feedback/empty-state';
import { useDesktop } from '@/ui/hooks/use-desktop';
import { ButtonLink } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';
import { PromotionItem, promotionElementId } from './promotion-item';

/** How many promotions the first view shows on desktop. */
const inFirstView = 3;

/**
 * The page of the city's promotions. The promotion that the URL names is scrolled to and opened: in place on
 * phones, in a dialog on desktop.
 */
export function PromotionsPage() {
  const { t } = useLingui();
  const city = useCity();
  const where = city.seo_name;
  const path = useCityPath();
  const search = useSearch();
  // The engine that renders on the server, where there is no query, does not know URLSearchParams.
  const asked = search ? new URLSearchParams(search).get('alias') : null;
  const [opened, setOpened] = useState<string | null>(asked);
  const isDesktop = useDesktop();
  usePageTitle(t({ id: 'promo.promotions-where', message: `Promotions ${where}` }));
  useEffect(() => {
    if (!asked) return;
    setOpened(asked);
    const item = document.getElementById(promotionElementId(asked));
    // A promotion that the visitor has just opened by its button is in view already.
    if (!item || item.contains(document.activeElement)) return;
    item.scrollIntoView({ block: 'start' });
    if (isDesktop) openModal('promo', { alias: asked });
  }, [asked, isDesktop]);

  const toggle = (alias: string, isOpen: boolean) => {
    setOpened(isOpen ? alias : null);
    const query = isOpen ? `?alias=${encodeURIComponent(alias)}` : '';
    history.replaceState(history.state, '', location.pathname + query);
  };

  return (
    <main className="mx-auto max-w-[90rem] px-4 py-6">
      <h1 className="title text-display">
        <Trans id="common.promotions">Promotions</Trans>
      </h1>
      {city.promotions.length === 0 ? (
        <EmptyState
          icon={TicketPercent}
          title={<Trans id="promo.promotions.no-promotions-now">There are no promotions now</Trans>}
          action={
            <ButtonLink href={path()}>
              <Trans id="common.go-to-menu">Go to the menu</Trans>
            </ButtonLink>
          }
        />
      ) : (
        <ul className="mt-6 grid gap-6 address:grid-cols-2 desktop:grid-cols-3">
          {city.promotions.map((promotion, place) => (
            <li key={promotion.alias}>
              <PromotionItem
                promotion={promotion}
                isOpen={promotion.alias === opened}
                onToggle={(isOpen) => toggle(promotion.alias, isOpen)}
                eager={place < inFirstView}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-8 empty:hidden">
        <CityWords alias="promotions" />
      </div>
    </main>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Store } from 'lucide-react';
import { useLocation } from 'wouter';
import type { Schema } from '@/api/types';
import { useCity, useCityPath } from '@/entities/city/context';
import { shopsQuery } from '@/entities/city/queries';
import { usePageTitle } from '@/entities/site/page-title';
import { CityWords } from '@/entities/words/city-words';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { useWhileShown } from '@/ui/hooks/use-while-shown';
import { ButtonLink } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';
import { cookingForDelivery } from './cooking';
import { PlaceMap } from './place-map';
import { useDeliveryTerms } from './use-delivery-terms';
import { ZoneMark } from './zone-mark';

/**
 * The page about delivery: the zones with prices and times on a list and a map, and the button that checks an
 * address. A chosen address leads to the menu.
 */
export function DeliveryPage() {
  const { t } = useLingui();
  const city = useCity();
  const path = useCityPath();
  const [, navigate] = useLocation();
  const where = city.seo_name;
  const onChosen = useWhileShown(() => navigate(path()));
  usePageTitle(t({ id: 'place.delivery.delivery-where', message: `Delivery ${where}` }));
  if (!city.order_types.delivery) return <NoDelivery where={where} />;
  const checkAddress = () => openModal('order-types', { orderType: 'delivery', onChosen });
  return (
    <main className="mx-auto max-w-[90rem] px-4 py-6">
      <h1 className="title text-display">
        <Trans id="place.delivery.delivery-where">Delivery {where}</Trans>
      </h1>
      <div className="mt-4 grid grid-cols-1 gap-6 desktop:grid-cols-[26rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-4">
          <p className="text-ink-soft">
            <Trans id="place.delivery.enter-address-to-see-price">
              Enter the address to see the price and the time for your door.
            </Trans>
          </p>
          <Button size="large" wide onClick={checkAddress}>
            <Trans id="place.check-address">Check the address</Trans>
          </Button>
          <Zones zones={city.delivery_zones} />
          <CityWords alias="delivery" />
        </div>
        <div className="h-[calc(var(--full-height)*0.6)] overflow-hidden rounded-card desktop:sticky desktop:top-20 desktop:h-[calc(var(--full-height)-10rem)]">
          <PlaceMap orderType="delivery" />
        </div>
      </div>
    </main>
  );
}

/** The delivery zones with their prices, and with the minutes of cooking and road together. */
function Zones({ zones }: { zones: readonly Schema<'DeliveryZone'>[] }) {
  const deliveryTerms = useDeliveryTerms();
  const { data: shops = [] } = useQuery(shopsQuery(useCity().id));
  const byId = new Map(shops.map((shop) => [shop.id, shop]));
  return (
    <ul className="flex flex-col divide-y divide-line">
      {zones.map(({ id, name, shop_id: shopId, delivery_time: road, prices, map }) => {
        const shop = byId.get(shopId);
        const minutes = shop && cookingForDelivery(shop) + road;
        return (
          <li key={id} className="flex gap-3 py-3">
            <ZoneMark tint={map.background_color} />
            <div className="min-w-0">
              <h2 className="strong">{name}</h2>
              <p className="text-note text-ink-soft">
                {deliveryTerms({ prices, minutes }).join(' · ')}
              </p>
              {shop?.delivery_pause && (
                <p className="mt-1 text-note text-warn">{shop.delivery_pause}</p>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** The page of a city without delivery, with a link to its shops. */
function NoDelivery({ where }: { where: string }) {
  const path = useCityPath();
  return (
    <main className="mx-auto max-w-[90rem] px-4 py-6">
      <EmptyState
        icon={Store}
        title={<Trans id="place.delivery.no-delivery-yet">There is no delivery {where} yet</Trans>}
        action={
          <ButtonLink href={path('/shops')}>
            <Trans id="place.delivery.choose-where-to-pick-up">Choose where to pick up</Trans>
          </ButtonLink>
        }
      />
    </main>
  );
}

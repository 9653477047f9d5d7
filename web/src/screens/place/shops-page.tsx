import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useCity, useCityPath } from '@/entities/city/context';
import { usePlace } from '@/entities/place/place';
import { useChooseShop } from '@/entities/place-choice/choose';
import { usePageTitle } from '@/entities/site/page-title';
import { CityWords } from '@/entities/words/city-words';
import { classes } from '@/ui/classes';
import { SegmentedSwitch } from '@/ui/fields/segmented-switch';
import { useDesktop } from '@/ui/hooks/use-desktop';
import { useWhileShown } from '@/ui/hooks/use-while-shown';
import { PlaceMap } from './place-map';
import { ShopPane } from './shops/shop-pane';
import { useShopQuestion } from './shops/use-shop-question';

/**
 * The page of the city's shops for takeaway as a list and a map: side by side on desktop, one of the two on phones.
 * Choosing a shop leads to its menu.
 */
export function ShopsPage() {
  const { t } = useLingui();
  const city = useCity();
  const path = useCityPath();
  const [, navigate] = useLocation();
  const { shopId } = usePlace();
  const [view, setView] = useState<'list' | 'map'>('list');
  // A phone that shows the list does not load the map.
  const isMapShown = useDesktop() || view === 'map';
  const toMenu = useWhileShown(() => navigate(path()));
  const { choose, busyId } = useChooseShop(toMenu);
  const ask = useShopQuestion(choose);
  const onShop = city.order_types.takeaway ? ask : undefined;
  const where = city.seo_name;
  usePageTitle(t({ id: 'place.shops.restaurants-where', message: `Restaurants ${where}` }));
  return (
    <main className="mx-auto max-w-[90rem] px-4 py-6">
      <h1 className="title text-display">
        <Trans id="place.shops.restaurants-where">Restaurants {where}</Trans>
      </h1>
      <div className="mt-4 desktop:hidden">
        <SegmentedSwitch
          label={t({ id: 'place.shops.list-or-map', message: 'List or map' })}
          value={view}
          onChange={setView}
          options={[
            { value: 'list', label: t({ id: 'place.shops.list', message: 'List' }) },
            { value: 'map', label: t({ id: 'place.shops.map', message: 'Map' }) },
          ]}
        />
      </div>
      <div className="mt-4 desktop:grid desktop:grid-cols-[26rem_minmax(0,1fr)] desktop:gap-6">
        <div className={classes(view === 'map' && 'hidden desktop:block')}>
          <ShopPane
            heading="h2"
            chosenId={shopId}
            busyId={busyId}
            onChoose={onShop}
            onKeep={toMenu}
          />
        </div>
        <div
          className={classes(
            'h-[calc(var(--full-height)*0.6)] overflow-hidden rounded-card desktop:sticky desktop:top-20 desktop:h-[calc(var(--full-height)-10rem)]',
            view === 'list' && 'hidden desktop:block',
          )}
        >
          {isMapShown && <PlaceMap orderType="takeaway" chosenShopId={shopId} onShop={onShop} />}
        </div>
      </div>
      <div className="mt-8 empty:hidden">
        <CityWords alias="shops" />
      </div>
    </main>
  );
}

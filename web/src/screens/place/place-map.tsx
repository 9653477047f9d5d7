import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { shopsQuery } from '@/entities/city/queries';
import { useMapTiles } from '@/entities/city/use-map-tiles';
import { useStreets } from '@/entities/city/use-streets';
import { cornersOf, type MapMarker, type MapZone, type Point } from '@/ui/map/map-things';
import { MapView } from '@/ui/map/map-view';
import { useMoney } from '@/ui/money';
import { cookingForDelivery } from './cooking';
import { takeawayShops } from './shops/shop-search';

interface PlaceMapProps {
  orderType: Schema<'OrderType'>;
  /** The address that is being chosen. */
  home?: { at: Point; name: string };
  chosenShopId?: number;
  /** The centre of a close view; without it the map shows the whole city. */
  focus?: Point;
  onPick?: (point: Point) => void;
  onShop?: (shop: Schema<'Shop'>) => void;
}

const noShops: Schema<'Shop'>[] = [];
/** The zoom for an address. Without tiles the zones and streets around show where it is. */
const closeUp = { tiles: 15, zones: 14 };

/**
 * The city's map with delivery zones (with price and time for delivery), shops (for takeaway those to choose from),
 * and the address that is being chosen.
 */
export function PlaceMap({ orderType, home, chosenShopId, focus, onPick, onShop }: PlaceMapProps) {
  const { t } = useLingui();
  const money = useMoney();
  const city = useCity();
  const tiles = useMapTiles();
  const { data: shops = noShops } = useQuery(shopsQuery(city.id));
  const isDelivery = orderType === 'delivery';

  const zones = useMemo((): MapZone[] => {
    const cooking = new Map(shops.map((shop) => [shop.id, cookingForDelivery(shop)]));
    return city.delivery_zones.map(({ map, prices, delivery_time, shop_id }) => {
      const price = money(prices.delivery);
      const minutes = delivery_time + (cooking.get(shop_id) ?? 0);
      const label = t({ id: 'place.map.price-and-minutes', message: `${price} · ${minutes} min` });
      // For takeaway the zones only show where the city is.
      const shown = isDelivery ? label : undefined;
      return { area: map.area, tint: map.background_color, label: shown };
    });
  }, [isDelivery, city, shops, money, t]);

  // The same for both order types, so that the view stays when the visitor switches between them.
  const fit = useMemo(
    () => [
      ...cornersOf(city.delivery_zones.map(({ map }) => map)),
      ...shops.map(({ map }) => map.coordinates),
    ],
    [city, shops],
  );

  const markers: MapMarker[] = (isDelivery ? shops : takeawayShops(shops, city)).map((shop) => ({
    id: shop.id,
    at: shop.map.coordinates,
    kind: 'shop',
    name: shop.name,
    plain: isDelivery,
    chosen: !isDelivery && shop.id === chosenShopId,
    onChoose: !isDelivery && onShop ? () => onShop(shop) : undefined,
  }));
  if (home) markers.push({ id: 'home', at: home.at, kind: 'home', name: home.name });

  return (
    <MapView
      label={
        isDelivery
          ? t({ id: 'place.map.map-of-delivery-zones', message: 'Map of delivery zones' })
          : t({ id: 'place.map.map-of-shops', message: 'Map of shops' })
      }
      center={focus ?? city.map.coordinates}
      zoom={focus ? closeUp[tiles.pattern || tiles.file ? 'tiles' : 'zones'] : city.map.zoom}
      fit={fit}
      zones={zones}
      streets={useStreets()}
      markers={markers}
      onPick={isDelivery ? onPick : undefined}
      tiles={tiles}
    />
  );
}

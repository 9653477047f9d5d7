import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo, useState } from 'react';
import type { Schema } from '@/api/types';
import { metresBetween } from '@/entities/city/distance';
import { useDistance } from '@/entities/city/use-distance';
import { useMapTiles } from '@/entities/city/use-map-tiles';
import { useStreets } from '@/entities/city/use-streets';
import { type CourierReport, courierFacts } from '@/entities/order/order-state';
import { restOfRoute } from '@/entities/order/rest-of-route';
import { MapView } from '@/ui/map/map-view';

interface CourierMapProps {
  order: Schema<'Order'>;
  courier: CourierReport;
  /** The device's time in milliseconds since 1970. */
  now: number;
}

/**
 * A map with the courier, the way, the address and the shop, and in words the courier's distance, the minutes
 * that are left where they are known, and since when a courier stands.
 */
export function CourierMap({ order, courier, now }: CourierMapProps) {
  const { t } = useLingui();
  const tiles = useMapTiles();
  const { delivery_address: address, sold_by: shop } = order;
  const home = address?.map.coordinates;
  // The centre of the first view, which does not follow the courier.
  const [start] = useState(courier.at);
  const { route, at } = courier;
  const rest = useMemo(() => route && restOfRoute(route, at), [route, at]);
  const facts = courierFacts(courier, now);
  return (
    <section
      className="flex flex-col gap-2 print:hidden"
      aria-label={t({ id: 'common.courier', message: 'Courier' })}
    >
      <div className="h-72 overflow-hidden rounded-card desktop:h-96">
        <MapView
          label={t({ id: 'tracking.courier-map.where-courier', message: 'Where the courier is' })}
          center={start}
          zoom={15}
          courier={{ at, isMoving: facts.isMoving }}
          route={rest}
          keep={home ? [at, home] : [at]}
          streets={useStreets()}
          markers={[
            ...(home && address
              ? [{ id: 'home', at: home, kind: 'home' as const, name: address.address }]
              : []),
            ...(shop
              ? [{ id: 'shop', at: shop.coordinates, kind: 'shop' as const, name: shop.name }]
              : []),
          ]}
          tiles={tiles}
        />
      </div>
      <CourierWords at={at} home={home} facts={facts} />
    </section>
  );
}

interface CourierWordsProps {
  at: Schema<'Coordinates'>;
  home?: Schema<'Coordinates'>;
  facts: ReturnType<typeof courierFacts>;
}

/** What is known of the courier, in words. */
function CourierWords({ at, home, facts }: CourierWordsProps) {
  const distance = useDistance();
  const { age: minutes, minutes: left, stood } = facts;
  return (
    <p className="text-note text-ink-soft">
      {left !== undefined && (
        <Trans id="tracking.courier-map.about-min">
          The courier will be with you in about {left} min.
        </Trans>
      )}{' '}
      {home && (
        <Trans id="tracking.courier-map.courier-from">
          The courier is {distance(metresBetween(at, home))} from you.
        </Trans>
      )}{' '}
      {stood !== undefined && (
        <Trans id="tracking.courier-map.stands-for-min">
          The courier has not moved for {stood} min.
        </Trans>
      )}{' '}
      {minutes === 0 ? (
        <Trans id="tracking.courier-map.reported-just-now">Reported just now.</Trans>
      ) : (
        <Trans id="tracking.courier-map.reported-min-ago">Reported {minutes} min ago.</Trans>
      )}
    </p>
  );
}

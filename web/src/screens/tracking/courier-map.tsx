import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Schema } from '@/api/types';
import { metresBetween } from '@/entities/city/distance';
import { useDistance } from '@/entities/city/use-distance';
import { useStreets } from '@/entities/city/use-streets';
import type { CourierReport } from '@/entities/order/order-state';
import { useSite } from '@/entities/site/context';
import { MapView } from '@/ui/map/map-view';

interface CourierMapProps {
  order: Schema<'Order'>;
  courier: CourierReport;
  /** Milliseconds since 1970. */
  now: number;
}

/** Where the courier is, on a map and in words. */
export function CourierMap({ order, courier, now }: CourierMapProps) {
  const { t } = useLingui();
  const { map_tiles: pattern, map_attribution: attribution } = useSite();
  const distance = useDistance();
  const { delivery_address: address, shop } = order;
  const home = address?.map.coordinates;
  const kitchen = shop?.map.coordinates;
  // The first view shows the whole way; afterwards the visitor moves it.
  const [fit] = useState(() => [courier.at, home, kitchen].filter((point) => point !== undefined));
  const minutes = Math.max(0, Math.floor((now - Date.parse(courier.reportedAt)) / 60_000));
  return (
    <section
      className="flex flex-col gap-2 print:hidden"
      aria-label={t({ id: 'common.courier', message: 'Courier' })}
    >
      <div className="h-72 overflow-hidden rounded-card desktop:h-96">
        <MapView
          label={t({ id: 'tracking.courier-map.where-courier', message: 'Where the courier is' })}
          center={courier.at}
          zoom={15}
          fit={fit}
          courier={courier.at}
          streets={useStreets()}
          markers={[
            ...(home && address
              ? [{ id: 'home', at: home, kind: 'home' as const, name: address.address }]
              : []),
            ...(kitchen && shop
              ? [{ id: 'shop', at: kitchen, kind: 'shop' as const, name: shop.name }]
              : []),
          ]}
          tiles={{ pattern, attribution }}
        />
      </div>
      <p className="text-note text-ink-soft">
        {home && (
          <Trans id="tracking.courier-map.courier-from">
            The courier is {distance(metresBetween(courier.at, home))} from you.
          </Trans>
        )}{' '}
        {minutes === 0 ? (
          <Trans id="tracking.courier-map.reported-just-now">Reported just now.</Trans>
        ) : (
          <Trans id="tracking.courier-map.reported-min-ago">Reported {minutes} min ago.</Trans>
        )}
      </p>
    </section>
  );
}

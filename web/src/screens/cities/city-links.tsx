import { Trans } from '@lingui/react/macro';
import { Check } from 'lucide-react';
import type { Schema } from '@/api/types';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import type { CountryCities } from './cities-by-country';

interface CityLinksProps {
  countries: readonly CountryCities[];
  /** The alias of the city that the visitor is in. */
  current?: string | null;
  /** The level of the countries' headings. */
  heading?: 'h2' | 'h3';
}

/** Cities as links, by country. */
export function CityLinks({ countries, current, heading: Heading = 'h2' }: CityLinksProps) {
  return (
    <div className="grid gap-x-8 gap-y-6 address:grid-cols-2">
      {countries.map(({ country, cities }) => (
        <section key={country.id}>
          <Heading className="text-note text-ink-soft">{country.name}</Heading>
          <ul className="mt-1">
            {cities.map((city) => (
              <li key={city.id} className="border-b border-line last:border-0">
                <CityLink city={city} isCurrent={city.alias === current} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** A link to a city, marked when the visitor is in it. */
function CityLink({ city, isCurrent }: { city: Schema<'CityBrief'>; isCurrent: boolean }) {
  return (
    <Link look="plain" href={`/${city.alias}`} aria-current={isCurrent ? 'true' : undefined}>
      <span className="flex min-h-12 flex-wrap items-center gap-x-3">
        <span className="flex-1 text-lead">{city.name}</span>
        <span className="text-note text-ink-soft">
          <OrderTypesNote city={city} />
        </span>
        {isCurrent && <Icon of={Check} size="small" />}
      </span>
    </Link>
  );
}

/** A note that a city takes only one order type or takes no orders now; nothing for other cities. */
function OrderTypesNote({ city: { type, order_types: types } }: { city: Schema<'CityBrief'> }) {
  if (type === 'stop') return <Trans id="common.no-orders-now">No orders now</Trans>;
  if (!types.delivery) return <Trans id="cities.links.takeaway-only">Takeaway only</Trans>;
  if (!types.takeaway) return <Trans id="cities.links.delivery-only">Delivery only</Trans>;
  return null;
}

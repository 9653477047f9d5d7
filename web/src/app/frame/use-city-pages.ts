import { useLingui } from '@lingui/react/macro';
import { useCity, useCityPath } from '@/features/city/context';

/** A page about the city that the frame leads to. */
export interface CityPage {
  about: 'promotions' | 'delivery' | 'shops';
  href: string;
  name: string;
}

/** The pages beside the menu. Delivery only where the food is brought. */
export function useCityPages(): CityPage[] {
  const { t } = useLingui();
  const path = useCityPath();
  const { delivery } = useCity().order_types;
  return [
    { about: 'promotions', href: path('/promotions'), name: t`Promotions` },
    ...(delivery
      ? [{ about: 'delivery', href: path('/delivery'), name: t`Delivery` } as const]
      : []),
    { about: 'shops', href: path('/shops'), name: t`Restaurants` },
  ];
}

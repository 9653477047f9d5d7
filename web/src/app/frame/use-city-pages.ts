import { useLingui } from '@lingui/react/macro';
import { useCity, useCityPath } from '@/entities/city/context';
import { useWordPages } from '@/entities/words/word-pages';

/** A page about the city that the frame leads to. */
export interface CityPage {
  about: 'promotions' | 'bonus' | 'delivery' | 'shops' | 'words';
  href: string;
  name: string;
}

/** Reports whether the page of promotions has any content: a promotion, or the brand's own text. */
export function useHasPromotions(): boolean {
  const { promotions, pages } = useCity();
  return promotions.length > 0 || pages.some(({ alias }) => alias === 'promotions');
}

/**
 * Returns the city's pages other than the menu: promotions and bonuses only when the city has them,
 * delivery only when it delivers, and the restaurants.
 */
export function useCityPages(): CityPage[] {
  const { t } = useLingui();
  const path = useCityPath();
  const hasPromotions = useHasPromotions();
  const { bonus_programme: bonus, order_types: orderTypes } = useCity();
  return [
    ...(hasPromotions
      ? [
          {
            about: 'promotions',
            href: path('/promotions'),
            name: t({ id: 'common.promotions', message: 'Promotions' }),
          } as const,
        ]
      : []),
    ...(bonus
      ? [
          {
            about: 'bonus',
            href: path('/bonus'),
            name: t({ id: 'common.bonuses', message: 'Bonuses' }),
          } as const,
        ]
      : []),
    ...(orderTypes.delivery
      ? [
          {
            about: 'delivery',
            href: path('/delivery'),
            name: t({ id: 'common.delivery', message: 'Delivery' }),
          } as const,
        ]
      : []),
    {
      about: 'shops',
      href: path('/shops'),
      name: t({ id: 'app.frame.restaurants', message: 'Restaurants' }),
    },
  ];
}

/** Returns links to the pages that the brand has written, in its order. */
export function useWordLinks(): CityPage[] {
  const path = useCityPath();
  return useWordPages().map(({ alias, title }) => ({
    about: 'words',
    href: path(`/${alias}`),
    name: title,
  }));
}

import { useLingui } from '@lingui/react/macro';
import { useCity, useCityPath } from '@/entities/city/context';
import { useWordPages } from '@/entities/words/word-pages';

/** A page about the city that the frame leads to. */
export interface CityPage {
  about: 'promotions' | 'bonus' | 'delivery' | 'shops' | 'words';
  href: string;
  name: string;
}

/** Whether the page of promotions has anything to read: a promotion, or the brand's words about them. */
export function useHasPromotions(): boolean {
  const { promotions, pages } = useCity();
  return promotions.length > 0 || pages.some(({ alias }) => alias === 'promotions');
}

/**
 * Returns the pages beside the menu: that of promotions only where there are some, that of bonuses
 * only where there is a programme, that of delivery only where the city delivers.
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

/** Returns the pages of the brand's own words, in its order. */
export function useWordLinks(): CityPage[] {
  const path = useCityPath();
  return useWordPages().map(({ alias, title }) => ({
    about: 'words',
    href: path(`/${alias}`),
    name: title,
  }));
}

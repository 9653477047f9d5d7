import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useCity, useCityPath } from '@/entities/city/context';

const tabs = ['profile', 'orders', 'addresses'] as const;

export type Tab = (typeof tabs)[number];

/** The tabs of a city, in the order that they stand in; addresses only where food is brought. */
export const tabsOf = (isDelivering: boolean): readonly Tab[] =>
  tabs.filter((tab) => isDelivering || tab !== 'addresses');

/** The tab that an address asks for; the first one when it names none that there is. */
export const readTab = (name: string | null, shown: readonly Tab[]): Tab =>
  shown.find((tab) => tab === name) ?? 'profile';

/** The tab of the address, and how to go to another. */
export function useTab() {
  const shown = tabsOf(useCity().order_types.delivery);
  const path = useCityPath();
  const [query] = useSearchParams();
  const [, navigate] = useLocation();
  const hrefOf = useCallback((tab: Tab) => path(`/profile?tab=${tab}`), [path]);
  return {
    shown,
    current: readTab(query.get('tab'), shown),
    hrefOf,
    goTo: (tab: Tab) => navigate(hrefOf(tab)),
  };
}

import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useCity, useCityPath } from '@/entities/city/context';

const tabs = ['profile', 'orders', 'addresses'] as const;

export type Tab = (typeof tabs)[number];

/** Returns the tabs of a city in their order; addresses only where the city delivers. */
export const tabsOf = (isDelivering: boolean): readonly Tab[] =>
  tabs.filter((tab) => isDelivering || tab !== 'addresses');

/** Returns the tab that an address asks for; the first one when it names no tab that is shown. */
export const readTab = (name: string | null, shown: readonly Tab[]): Tab =>
  shown.find((tab) => tab === name) ?? 'profile';

/** Returns the tab of the address, and a function that goes to another. */
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

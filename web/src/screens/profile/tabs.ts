import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useCity, useCityPath } from '@/entities/city/context';

const allTabs = ['profile', 'orders', 'addresses'] as const;

export type Tab = (typeof allTabs)[number];

/** Returns the tabs of a city in their order; addresses only where the city delivers. */
export const tabsOf = (isDelivering: boolean): readonly Tab[] =>
  allTabs.filter((tab) => isDelivering || tab !== 'addresses');

/** Returns the tab of that name; the first tab when there is no such tab. */
export const readTab = (name: string | null, tabs: readonly Tab[]): Tab =>
  tabs.find((tab) => tab === name) ?? 'profile';

/**
 * Returns the profile's tabs, the current tab by the URL, and functions that return a tab's address and open a
 * tab.
 */
export function useTabs() {
  const tabs = tabsOf(useCity().order_types.delivery);
  const path = useCityPath();
  const [query] = useSearchParams();
  const [, navigate] = useLocation();
  const hrefOf = useCallback((tab: Tab) => path(`/profile?tab=${tab}`), [path]);
  return {
    tabs,
    current: readTab(query.get('tab'), tabs),
    hrefOf,
    goTo: (tab: Tab) => navigate(hrefOf(tab)),
  };
}

import { createContext, type ReactNode, use } from 'react';
import type { Schema } from '@/api/types';

const SiteContext = createContext<Schema<'Site'> | null>(null);

/** Provides the brand to everything below. */
export function SiteProvider({ site, children }: { site: Schema<'Site'>; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>;
}

/** Returns the brand that the page is shown for. */
export function useSite(): Schema<'Site'> {
  const site = use(SiteContext);
  if (!site) throw new Error('useSite outside SiteProvider');
  return site;
}

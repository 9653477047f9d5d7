import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Schema } from '@/api/types';
import { findRoute } from '../routes';
import { type AnalyticsEvent, cleanAddress, type Sender } from './events';
import { createGA4 } from './ga4';
import { createMetrika } from './metrika';
import { forgetPurchases } from './purchases';
import { watchPage } from './watch-page';

interface AnalyticsProps {
  accounts: Schema<'Analytics'>;
  allowsMarketing: boolean;
}

/**
 * Renders nothing. It reports to the brand's accounts while it is mounted, and must be mounted only for visitors who
 * allow analytics. When it is unmounted, it stops and removes what it has stored.
 */
export default function Analytics({ accounts, allowsMarketing }: AnalyticsProps) {
  const client = useQueryClient();
  const [location] = useLocation();
  const [reporter, setReporter] = useState<Reporter>();
  const { metrika_id: metrikaId, ga4_id: ga4Id } = accounts;
  useEffect(() => {
    const senders: Sender[] = [];
    if (metrikaId !== undefined) senders.push(createMetrika(metrikaId));
    if (ga4Id !== undefined) senders.push(createGA4(ga4Id, allowsMarketing));
    const send = (event: AnalyticsEvent) => {
      for (const sender of senders) sender.send(event);
    };
    const shop = watchPage(client, send);
    setReporter({ senders, shop });
    return () => {
      shop.stop();
      for (const sender of senders) sender.stop();
      forgetPurchases();
    };
  }, [client, metrikaId, ga4Id, allowsMarketing]);
  useViews(location, reporter);
  return null;
}

interface Reporter {
  senders: readonly Sender[];
  shop: ReturnType<typeof watchPage>;
}

/** Reports each page when its path changes, by a cleaned address, and passes the path to the watch of the page. */
function useViews(path: string, reporter: Reporter | undefined): void {
  const lastAddress = useRef<string>(undefined);
  useEffect(() => {
    if (!reporter) return;
    const address = cleanAddress(window.location.origin + path);
    for (const sender of reporter.senders) sender.view({ address, from: lastAddress.current });
    lastAddress.current = address;
    reporter.shop.visit(path, findRoute(path).city);
  }, [path, reporter]);
}

import type { Query, QueryClient } from '@tanstack/react-query';
import type { Schema } from '@/api/types';
import { modals } from '@/ui/modals/modal-store';
import type { AnalyticsEvent } from './events';
import type { PageState } from './page-state';
import { watchCarts } from './watch-cart';
import { watchFields } from './watch-fields';
import { loadPaidOrder, reportPurchase } from './watch-orders';
import {
  type AwaitedEvent,
  awaitedEventOn,
  reportCheckout,
  reportList,
  watchDishes,
} from './watch-views';

/** A watch of the page's data, so that no screen has to report anything. */
interface PageWatch {
  /** Notes that another page is shown; `city` is undefined outside of a city. */
  visit(path: string, city: string | undefined): void;
  stop(): void;
}

/**
 * Reports what the visitor views, puts into the cart and orders. It reads the server's answers, so a
 * change that was refused is not reported.
 */
export function watchPage(client: QueryClient, report: (event: AnalyticsEvent) => void): PageWatch {
  const page: PageState = { client, report, cityAlias: undefined };
  const cache = client.getQueryCache();
  const followCart = watchCarts(page);
  let awaited: AwaitedEvent;

  const reportAwaited = () => {
    if (awaited === 'list' && reportList(page)) awaited = undefined;
    if (awaited === 'checkout' && reportCheckout(page)) awaited = undefined;
  };

  const follow = ({ queryKey, state: { data } }: Query) => {
    if (data === undefined) return;
    // The second part of a personal key is the kind of its data; see `keys`.
    if (queryKey[1] === 'cart') followCart(data as Schema<'Cart'>);
    if (queryKey[1] === 'order') reportPurchase(page, data as Schema<'Order'>);
    if (queryKey[1] === 'order-payment') loadPaidOrder(page, data as Schema<'OrderPayment'>);
  };

  for (const query of cache.getAll()) follow(query);
  const stops = [
    cache.subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') follow(event.query);
      reportAwaited();
    }),
    modals.subscribe(watchDishes(page)),
    watchFields(report),
  ];
  return {
    visit(path, alias) {
      page.cityAlias = alias;
      awaited = awaitedEventOn(path, alias);
      reportAwaited();
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}

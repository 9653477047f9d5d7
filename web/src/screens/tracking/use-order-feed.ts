import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Schema } from '@/api/types';
import { type CourierReport, isCourierShown, toCourierReport } from '@/entities/order/order-state';
import { courierPoll, orderPoll, storeReport, storeStatus } from '@/entities/order/queries';
import { useLanguage } from '@/i18n/use-language';

/** How long to wait before a refused stream is opened again, in milliseconds. */
const reopenTime = 30_000;

/** How long a stream may take to open before the page begins to poll, in milliseconds. */
const longestOpening = 5000;

/**
 * Keeps an order in the cache up to date until its final state: by the server's stream of events, by polling
 * while the stream is silent, and not at all while the page is hidden. Returns the courier's last report.
 */
export function useOrderFeed(order: Schema<'Order'>): { courier?: CourierReport } {
  const { order_id: orderId, status } = order;
  const client = useQueryClient();
  const isOn = !status.final;
  const hasBegun = useRef(false);
  const isSilent = useEventStream(isOn ? `/api/order/${orderId}/events` : undefined, {
    status: (data) => {
      const next = data as Schema<'OrderStatus'>;
      // The first event repeats the status that has just been loaded, unless it has changed since.
      const isKnown =
        !hasBegun.current &&
        next.changed_at === status.changed_at &&
        next.description === status.description;
      hasBegun.current = true;
      if (!isKnown) storeStatus(client, orderId, next);
    },
    courier: (data) => {
      const report = data as Schema<'Coordinates'> & Schema<'CourierWay'>;
      // One event has both the place and the way.
      storeReport(client, orderId, toCourierReport(report, report));
    },
  });
  useQuery(orderPoll(orderId, isOn && isSilent));
  // The stream has only new reports, so the last report is loaded once, and polled while the stream is silent.
  const isShown = isCourierShown(order);
  const { data: last } = useQuery({
    ...courierPoll(orderId, isShown),
    ...(!isSilent && { refetchInterval: false as const }),
  });
  return { courier: (isShown && last) || undefined };
}

type Events = Record<'status' | 'courier', (data: unknown) => void>;

/**
 * Listens to a stream of events while the page is visible. Returns whether the stream has failed or is slow to
 * open.
 */
function useEventStream(address: string | undefined, events: Events): boolean {
  const [isSilent, setSilent] = useState(false);
  // The stream sends texts in the language in which it was opened.
  const language = useLanguage();
  const handleEvent = useEffectEvent((name: keyof Events, event: MessageEvent<string>) =>
    events[name](JSON.parse(event.data)),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language opens another stream
  useEffect(() => {
    if (!address) return;
    let stream: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const close = () => {
      clearTimeout(timer);
      stream?.close();
      stream = undefined;
    };
    const open = () => {
      close();
      const source = new EventSource(address);
      stream = source;
      timer = setTimeout(() => setSilent(true), longestOpening);
      source.onopen = () => {
        clearTimeout(timer);
        setSilent(false);
      };
      source.onerror = () => {
        clearTimeout(timer);
        setSilent(true);
        // The browser reconnects by itself, except after a refusal.
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, reopenTime);
      };
      for (const name of ['status', 'courier'] as const) {
        source.addEventListener(name, (event) => handleEvent(name, event));
      }
    };
    const follow = () => (document.hidden ? close() : open());
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      close();
    };
  }, [address, language]);
  return isSilent;
}

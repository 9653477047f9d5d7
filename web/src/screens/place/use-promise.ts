import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useMoney } from '@/ui/money';

interface Given {
  prices: Schema<'ZonePrices'>;
  /** Minutes from the order to the door. */
  minutes?: number;
}

/** Returns a function that says a place's price of delivery, its minimum and its time, each in a few words. */
export function usePromise(): (given: Given) => string[] {
  const { t } = useLingui();
  const money = useMoney();
  return ({ prices, minutes }) => {
    const minimum = money(prices.minimum_order_amount);
    const delivery = money(prices.delivery);
    const words = [
      prices.delivery > 0
        ? t({ id: 'place.promise.delivery', message: `delivery ${delivery}` })
        : t({ id: 'place.promise.free-delivery', message: 'free delivery' }),
    ];
    // With free delivery the minimum is the sum that delivery is free from; else it has to be reached.
    const freeFrom = prices.has_free_delivery
      ? prices.minimum_order_amount
      : prices.free_delivery_from;
    if (!prices.has_free_delivery && prices.minimum_order_amount > 0) {
      words.push(t({ id: 'place.promise.orders-from', message: `orders from ${minimum}` }));
    }
    if (prices.delivery > 0 && freeFrom !== undefined && freeFrom > 0) {
      const sum = money(freeFrom);
      words.push(t({ id: 'place.promise.free-from', message: `free from ${sum}` }));
    }
    if (minutes) words.push(t({ id: 'place.promise.about-min', message: `about ${minutes} min` }));
    return words;
  };
}

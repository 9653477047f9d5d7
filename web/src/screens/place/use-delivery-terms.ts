import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useMoney } from '@/ui/money';

interface Delivery {
  prices: Schema<'ZonePrices'>;
  /** Minutes from the order to the door. */
  minutes?: number;
}

/**
 * Returns a function that returns short texts: the price of delivery, the least sum of an order, the sum for
 * free delivery, and the time, those that apply.
 */
export function useDeliveryTerms(): (delivery: Delivery) => string[] {
  const { t } = useLingui();
  const money = useMoney();
  return ({ prices, minutes }) => {
    const minimum = money(prices.minimum_order_amount);
    const delivery = money(prices.delivery);
    const words = [
      prices.delivery > 0
        ? t({ id: 'place.delivery-terms.delivery', message: `delivery ${delivery}` })
        : t({ id: 'place.delivery-terms.free-delivery', message: 'free delivery' }),
    ];
    // With has_free_delivery, minimum_order_amount is the sum from which delivery is free. Without it, it is the least sum of an order.
    const freeFrom = prices.has_free_delivery
      ? prices.minimum_order_amount
      : prices.free_delivery_from;
    if (!prices.has_free_delivery && prices.minimum_order_amount > 0) {
      words.push(t({ id: 'place.delivery-terms.orders-from', message: `orders from ${minimum}` }));
    }
    if (prices.delivery > 0 && freeFrom !== undefined && freeFrom > 0) {
      const sum = money(freeFrom);
      words.push(t({ id: 'place.delivery-terms.free-from', message: `free from ${sum}` }));
    }
    if (minutes)
      words.push(t({ id: 'place.delivery-terms.about-min', message: `about ${minutes} min` }));
    return words;
  };
}

import type { Spot } from '../paying.ts';

/** The data of a brand of the demo that the stops need. */
export interface Scene {
  /** A shop that works around the clock, and a dish without modifiers. */
  spot: Spot;
  /** A house that is delivered to. */
  house: string;
  /** A house that no zone covers. */
  outside: string;
  /** A city where the brand delivers too, and a house there. */
  elsewhere: { city: string; house: string };
  /** A dish with modifiers. */
  dish: string;
  promotion: string;
  /** A shop that is closed all day, and its city. */
  closed: { city: string; shopId: number };
}

/** Returns a spot at a shop in Moscow. */
const inMoscow = (brand: Spot['brand'], shopId: number, dish: string): Spot => ({
  brand,
  city: 'moscow',
  place: { city_id: 1, order_type: 'takeaway', shop_id: shopId },
  dish,
});

export const scenes: Record<Spot['brand'], Scene> = {
  sushi: {
    spot: inMoscow('sushi', 102, 'edamame'),
    house: 'Новослободская улица, 20',
    outside: 'Таганская улица, 58',
    elsewhere: { city: 'kazan', house: 'Баумана 20' },
    dish: 'wok-kuritsa',
    promotion: 'svoy-vok',
    closed: { city: 'moscow', shopId: 103 },
  },
  shawarma: {
    spot: inMoscow('shawarma', 201, 'ayran'),
    house: 'Мясницкая улица, 10',
    outside: 'Кутузовский проспект, 88',
    elsewhere: { city: 'minsk', house: 'Немига 3' },
    dish: 'shaurma-s-kuritsey',
    promotion: 'lunch-hour',
    closed: { city: 'yekaterinburg', shopId: 207 },
  },
  pizza: {
    spot: inMoscow('pizza', 302, 'tiramisu'),
    house: 'улица Покровка, 20',
    outside: 'Кутузовский проспект, 88',
    elsewhere: { city: 'kazan', house: 'Баумана 20' },
    dish: 'pitstsa-pepperoni',
    promotion: 'pasta-lunch',
    closed: { city: 'berlin', shopId: 309 },
  },
};

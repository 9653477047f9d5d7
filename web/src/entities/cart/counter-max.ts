/**
 * The `max` of every counter of portions: an order has fewer than 100 of a product. A counter adds a
 * step only while count + step ≤ max.
 */
export const counterMax = 99;

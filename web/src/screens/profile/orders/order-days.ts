import type { Schema } from '@/api/types';

type OrderBrief = Schema<'OrderBrief'>;

/** The orders of one day. */
export interface OrderDay {
  /** YYYY-MM-DD. */
  date: string;
  orders: OrderBrief[];
}

/** Groups orders that are sorted by time by the day of placing, and keeps their order. */
export function groupByDay(orders: readonly OrderBrief[]): OrderDay[] {
  const days: OrderDay[] = [];
  for (const order of orders) {
    const last = days.at(-1);
    if (last?.date === order.date_string) last.orders.push(order);
    else days.push({ date: order.date_string, orders: [order] });
  }
  return days;
}

/** The kind of name that a day has in the list of orders. */
export type DayName = 'today' | 'yesterday' | 'this-year' | 'earlier';

/** Returns the kind of name of a day relative to today, both as YYYY-MM-DD. */
export function nameDay(date: string, today: string): DayName {
  if (date === today) return 'today';
  if (date === dayBefore(today)) return 'yesterday';
  return date.slice(0, 4) === today.slice(0, 4) ? 'this-year' : 'earlier';
}

/** Returns the day before a day, both as YYYY-MM-DD. */
const dayBefore = (date: string) =>
  new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

/** Returns the page number in a text; 1 for any other text. */
export function readPage(text: string | null): number {
  return /^[1-9]\d{0,4}$/.test(text ?? '') ? Number(text) : 1;
}

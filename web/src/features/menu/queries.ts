import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ask } from '@/api/result';
import type { Schema } from '@/api/types';

/** The menu as it is sold at a place. Equal places share one entry of the cache. */
export const menuQuery = (place: Schema<'Place'>) =>
  queryOptions({
    queryKey: [
      'menu',
      place.city_id,
      place.order_type,
      place.shop_id ?? null,
      place.delivery_zone_id ?? null,
    ] as const,
    queryFn: ({ signal }) => ask(api.GET('/products', { params: { query: place }, signal })),
  });

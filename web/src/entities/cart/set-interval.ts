import { api } from '@/api/client';
import { attempt } from '@/api/result';
import { useCartSession } from './queries';

/** Returns the function that chooses the time of the order by its id; undefined removes the choice. */
export function useSetInterval(): (interval: string | undefined) => void {
  const { outbox, cityId } = useCartSession();
  return (interval) => {
    const body = { city_id: cityId, interval: interval ?? '' };
    outbox.post((header) => attempt(api.PUT('/cart/set-interval', { body, params: { header } })));
  };
}

import { useQuery } from '@tanstack/react-query';
import { useSite } from '@/entities/site/context';
import type { MapStreet } from '@/ui/map/map-things';
import { useCity } from './context';
import { streetsQuery } from './queries';

const none: readonly MapStreet[] = [];

/** Returns the streets to draw on a map without tiles; empty until they are loaded. */
export function useStreets(): readonly MapStreet[] {
  const site = useSite();
  const { data } = useQuery({ ...streetsQuery(useCity().alias), enabled: site.map_tiles === '' });
  return data ?? none;
}

import { useQuery } from '@tanstack/react-query';
import type { MapStreet } from '@/ui/map/map-things';
import { useCity } from './context';
import { streetsQuery } from './queries';
import { useMapTiles } from './use-map-tiles';

const none: readonly MapStreet[] = [];

/** Returns the streets to draw on a map without tiles; empty until they are loaded, and on a site with tiles. */
export function useStreets(): readonly MapStreet[] {
  const { pattern, file } = useMapTiles();
  const enabled = pattern === '' && !file;
  const { data } = useQuery({ ...streetsQuery(useCity().alias), enabled });
  return data ?? none;
}

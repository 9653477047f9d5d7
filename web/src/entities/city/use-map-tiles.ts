import { useSite } from '@/entities/site/context';
import type { MapTiles } from '@/ui/map/map-things';
import { useCity } from './context';

/** Returns where the tiles of the city's map come from: the brand's choice, else the city's map file. */
export function useMapTiles(): MapTiles {
  const { map_tiles: pattern, map_attribution: attribution } = useSite();
  const { map_file: file } = useCity();
  return { pattern, attribution, file: pattern === '' ? file : undefined };
}

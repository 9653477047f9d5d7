import type { ComponentType } from 'react';
import type { MapViewProps } from './map-things';

/** The map's component, once its chunk has loaded. */
let loaded: ComponentType<MapViewProps> | undefined;

/** Loads the chunk of the map. It rejects when the chunk does not load. */
export async function loadMap(): Promise<{ default: ComponentType<MapViewProps> }> {
  const chunk = await import('./leaflet-map');
  loaded = chunk.default;
  return chunk;
}

/** Returns the map's component, undefined while its chunk is not loaded. */
export const loadedMap = () => loaded;

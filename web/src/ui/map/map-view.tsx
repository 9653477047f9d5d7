import { lazy, useState } from 'react';
import { LazyPart } from '../feedback/lazy-part';
import { Spinner } from '../feedback/spinner';
import { useHydrated } from '../hooks/use-hydrated';
import { loadedMap, loadMap } from './load-map';
import { startMapFile } from './map-file';
import type { MapViewProps } from './map-things';

const LateMap = lazy(loadMap);

/**
 * A map as large as its container, with zones, streets, markers and a courier. Its code loads when it is first
 * shown; a spinner is shown until then. Without tiles the background is plain.
 */
export function MapView(props: MapViewProps) {
  // React shows what was waited for 300 ms after the spinner at the earliest; a map that is loaded needs no spinner.
  const [LeafletMap] = useState(() => loadedMap() ?? LateMap);
  const waiting = (
    <div className="grid size-full place-items-center bg-raised text-ink-soft">
      <Spinner />
    </div>
  );
  // The server has no map to draw.
  if (!useHydrated()) return waiting;
  if (props.tiles.file) startMapFile(props.tiles.file);
  return (
    <LazyPart fallback={waiting}>
      <LeafletMap {...props} />
    </LazyPart>
  );
}

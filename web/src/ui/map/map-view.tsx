import { lazy } from 'react';
import { LazyPart } from '../feedback/lazy-part';
import { Spinner } from '../feedback/spinner';
import { useHydrated } from '../hooks/use-hydrated';
import type { MapViewProps } from './map-things';

const LeafletMap = lazy(() => import('./leaflet-map'));

/**
 * A map as large as its container: zones in the brand's tints, shops, a home, a courier. Its
 * code and styles load when it is first shown. Without tiles the zones are drawn on a plain background.
 */
export function MapView(props: MapViewProps) {
  const waiting = (
    <div className="grid size-full place-items-center bg-raised text-ink-soft">
      <Spinner />
    </div>
  );
  // The server has no map to draw.
  if (!useHydrated()) return waiting;
  return (
    <LazyPart fallback={waiting}>
      <LeafletMap {...props} />
    </LazyPart>
  );
}

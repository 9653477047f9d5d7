import { lazy } from 'react';
import { LazyPart } from '../feedback/lazy-part';
import { Spinner } from '../feedback/spinner';
import type { MapViewProps } from './map-things';

const LeafletMap = lazy(() => import('./leaflet-map'));

/**
 * A map as large as what it stands in: zones in the brand's tints, shops, a home, a courier. Its
 * code and styles load when it is first shown. Without tiles the zones stand on a quiet ground.
 */
export function MapView(props: MapViewProps) {
  return (
    <LazyPart
      fallback={
        <div className="grid size-full place-items-center bg-raised text-ink-soft">
          <Spinner />
        </div>
      }
    >
      <LeafletMap {...props} />
    </LazyPart>
  );
}

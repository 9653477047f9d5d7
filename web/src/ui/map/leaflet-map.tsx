import 'leaflet/dist/leaflet.css';
import './map.css';
import { useLingui } from '@lingui/react/macro';
import type { Map as LeafletMapObject } from 'leaflet';
import { Bike, House, Minus, Plus, Store } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { createPortal } from 'react-dom';
import { classes } from '../classes';
import { Icon } from '../icon';
import { IconButton } from '../icon-button';
import {
  useCenter,
  useMap,
  useMarkerAt,
  usePick,
  useStreetLines,
  useTiles,
  useZones,
} from './map-layers';
import type { MapMarker, MapStreet, MapViewProps, MapZone, Point } from './map-things';

const noZones: readonly MapZone[] = [];
const noStreets: readonly MapStreet[] = [];
const noPoints: readonly Point[] = [];

/** The map itself; show it by `MapView`, which loads it. */
export default function LeafletMap({
  label,
  center,
  zoom,
  fit = noPoints,
  zones = noZones,
  streets = noStreets,
  markers = [],
  courier,
  onPick,
  tiles,
}: MapViewProps) {
  const { t } = useLingui();
  const ground = useRef<HTMLDivElement>(null);
  const map = useMap(ground, { center, zoom, fit, hasTiles: tiles.pattern !== '' });
  useCenter(map, center, zoom);
  useTiles(map, tiles.pattern);
  usePick(map, onPick);
  useStreetLines(map, streets);
  const labels = useZones(map, zones);
  return (
    <section
      aria-label={label}
      className="@container relative isolate size-full overflow-hidden bg-raised"
    >
      <div ref={ground} className="map-ground size-full" />
      {labels.map(({ zone, element }) => createPortal(zone.label, element, zone.id))}
      {markers.map((marker) => (
        <Marker key={marker.id} map={map} {...marker} />
      ))}
      {courier && <Courier map={map} at={courier} />}
      <div className="absolute end-2 bottom-2 z-[1000] flex flex-col gap-1">
        <IconButton
          icon={Plus}
          label={t({ id: 'ui.map.closer', message: 'Closer' })}
          look="floating"
          onClick={() => map?.zoomIn()}
        />
        <IconButton
          icon={Minus}
          label={t({ id: 'ui.map.farther', message: 'Farther' })}
          look="floating"
          onClick={() => map?.zoomOut()}
        />
      </div>
      {tiles.pattern && tiles.attribution && (
        <p className="absolute start-0 bottom-0 z-[1000] rounded-chip bg-surface px-1.5 text-note text-ink-soft">
          {tiles.attribution}
        </p>
      )}
    </section>
  );
}

type MarkerProps = MapMarker & { map: LeafletMapObject | null };

/** A shop with its name, where the map has room for it, or the visitor's address. */
function Marker({ map, at, kind, name, plain, chosen = false, onChoose }: MarkerProps) {
  const element = useMarkerAt(map, { at, onChoose });
  if (!element) return null;
  return createPortal(
    kind === 'shop' ? (
      <Pin
        look={classes(
          chosen ? 'bg-accent text-on-accent' : 'bg-ink text-ground',
          plain && '@max-[26rem]:invisible',
        )}
      >
        <Icon of={Store} size="small" />
        {!plain && <span className="hidden max-w-40 truncate @min-[26rem]:block">{name}</span>}
        <span className={plain ? 'sr-only' : 'sr-only @min-[26rem]:hidden'}>{name}</span>
      </Pin>
    ) : (
      <Pin look="bg-accent text-on-accent">
        <Icon of={House} size="small" />
        <span className="sr-only">{name}</span>
      </Pin>
    ),
    element,
  );
}

/** The courier, who moves on the map. */
function Courier({ map, at }: { map: LeafletMapObject | null; at: Point }) {
  const { t } = useLingui();
  const element = useMarkerAt(map, { at, isMoving: true });
  if (!element) return null;
  return createPortal(
    <Pin look="bg-accent text-on-accent">
      <Icon of={Bike} />
      <span className="sr-only">{t({ id: 'common.courier', message: 'Courier' })}</span>
    </Pin>,
    element,
  );
}

/** A pill whose point touches the place. */
function Pin({ look, children }: { look: string; children: ReactNode }) {
  return (
    <span
      className={classes(
        'absolute bottom-1.5 start-0 flex min-h-8 transform-[translateX(-50%)] items-center gap-1.5 rounded-full px-2.5 text-note strong whitespace-nowrap shadow-high',
        'after:absolute after:-bottom-1 after:start-1/2 after:size-2.5 after:transform-[translateX(-50%)_rotate(45deg)] after:bg-inherit',
        look,
      )}
    >
      {children}
    </span>
  );
}

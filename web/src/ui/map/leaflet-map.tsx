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
  useKeepInView,
  useMap,
  useMarkerAt,
  usePick,
  useRoute,
  useStreetLines,
  useTiles,
  useZones,
} from './map-layers';
import type { MapMarker, MapStreet, MapViewProps, MapZone, Point } from './map-things';
import { useCityLayer } from './use-city-layer';
import { useLabelRoom } from './use-label-room';

const noZones: readonly MapZone[] = [];
const noStreets: readonly MapStreet[] = [];
const noPoints: readonly Point[] = [];
const noRoute: readonly (readonly number[])[] = [];

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
  route = noRoute,
  keep = noPoints,
  onPick,
  tiles,
}: MapViewProps) {
  const { t, i18n } = useLingui();
  const ground = useRef<HTMLDivElement>(null);
  const { pattern, file, attribution } = tiles;
  const map = useMap(ground, { center, zoom, fit, hasTiles: pattern !== '' || file !== undefined });
  useCenter(map, center, zoom);
  useKeepInView(map, keep);
  useTiles(map, pattern);
  useCityLayer(map, file, i18n.locale);
  usePick(map, onPick);
  useStreetLines(map, streets);
  useRoute(map, route);
  useZones(map, zones);
  useLabelRoom(map);
  return (
    <section
      aria-label={label}
      className="@container relative isolate size-full overflow-hidden bg-raised"
    >
      <div ref={ground} className="map-ground size-full" />
      {markers.map((marker) => (
        <Marker key={marker.id} map={map} {...marker} />
      ))}
      {courier && <Courier map={map} {...courier} />}
      <div className="absolute end-2 bottom-2 z-[1000] flex flex-col gap-1">
        <IconButton
          icon={Plus}
          label={t({ id: 'ui.map.closer', message: 'Zoom in' })}
          look="floating"
          onClick={() => map?.zoomIn()}
        />
        <IconButton
          icon={Minus}
          label={t({ id: 'ui.map.farther', message: 'Zoom out' })}
          look="floating"
          onClick={() => map?.zoomOut()}
        />
      </div>
      {(file || (pattern && attribution)) && (
        <p className="absolute start-0 bottom-0 z-[1000] rounded-chip bg-surface px-1.5 text-note text-ink-soft">
          {file ? <OpenStreetMapCredit /> : attribution}
        </p>
      )}
    </section>
  );
}

/** The credit that OpenStreetMap asks for on maps that are made of its data. */
const OpenStreetMapCredit = () => (
  <a
    href="https://www.openstreetmap.org/copyright"
    target="_blank"
    rel="noreferrer"
    className="target inline-block"
    lang="en"
  >
    © OpenStreetMap
  </a>
);

type MarkerProps = MapMarker & { map: LeafletMapObject | null };

/**
 * The marker of a shop or of the visitor's address. A shop's name is visible only on a wide map where it has room; a
 * plain shop shows only its icon, and that only on a wide map.
 */
function Marker({ map, at, kind, name, plain, chosen = false, onChoose }: MarkerProps) {
  const element = useMarkerAt(map, { at, onChoose });
  if (!element) return null;
  return createPortal(
    kind === 'shop' ? (
      <Pin
        isButton={onChoose !== undefined}
        look={classes(
          chosen ? 'bg-accent text-on-accent' : 'bg-ink text-ground',
          plain && '@max-[26rem]:invisible',
        )}
      >
        <Icon of={Store} size="small" />
        {!plain && (
          <span className="map-name hidden max-w-40 truncate @min-[26rem]:block">{name}</span>
        )}
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

type CourierProps = NonNullable<MapViewProps['courier']> & { map: LeafletMapObject | null };

/** The marker of the courier, which glides from one report to the next. */
function Courier({ map, at, isMoving }: CourierProps) {
  const { t } = useLingui();
  // The marker glides in any case; whether the courier moves decides only about its colours.
  const element = useMarkerAt(map, { at, isMoving: true });
  if (!element) return null;
  return createPortal(
    <Pin look={isMoving ? 'bg-accent text-on-accent' : 'bg-ink text-ground'}>
      <Icon of={Bike} />
      <span className="sr-only">{t({ id: 'common.courier', message: 'Courier' })}</span>
    </Pin>,
    element,
  );
}

interface PinProps {
  look: string;
  /** Whether it can be pressed; the map notices the press. */
  isButton?: boolean;
  children: ReactNode;
}

/** The shape of a marker: a pill with a tip at the point. */
function Pin({ look, isButton = false, children }: PinProps) {
  const Shape = isButton ? 'button' : 'span';
  return (
    <Shape
      type={isButton ? 'button' : undefined}
      className={classes(
        'map-pin absolute bottom-1.5 start-0 flex min-h-8 transform-[translateX(-50%)] items-center gap-1.5 rounded-full px-2.5 text-note strong whitespace-nowrap shadow-high',
        'after:absolute after:-bottom-1 after:start-1/2 after:size-2.5 after:transform-[translateX(-50%)_rotate(45deg)] after:bg-inherit',
        look,
      )}
    >
      {children}
    </Shape>
  );
}

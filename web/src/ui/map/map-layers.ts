import * as L from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { classes } from '../classes';
import { type MapMarker, type MapStreet, type MapZone, type Point, zoneColour } from './map-things';

/** Returns a point in Leaflet's form. */
const toLatLng = ({ latitude, longitude }: Point): [number, number] => [latitude, longitude];

/** Reports whether the visitor has asked for less motion. */
export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The room around what the first view holds, in pixels. */
const roomForZones: L.FitBoundsOptions = { padding: [12, 12] };
/** The room for marks, which stand above their points. */
const roomForMarks: L.FitBoundsOptions = {
  paddingTopLeft: [32, 56],
  paddingBottomRight: [56, 32],
  maxZoom: 16,
};

interface MapStart {
  center: Point;
  zoom: number;
  fit: readonly Point[];
  hasTiles: boolean;
}

/** Returns a Leaflet map in the element `ground`, null until it is ready. The map is removed with the component. */
export function useMap(ground: { current: HTMLElement | null }, start: MapStart): L.Map | null {
  const [map, setMap] = useState<L.Map | null>(null);
  // Later values of `start` are ignored, since the visitor may have moved the map.
  const [{ center, zoom, fit, hasTiles }] = useState(start);
  useEffect(() => {
    if (!ground.current) return;
    const made = L.map(ground.current, {
      zoomControl: false,
      attributionControl: false,
      minZoom: 8,
      maxZoom: 18,
      // Tiles exist for whole zoom levels only; zones and streets can be drawn at any.
      zoomSnap: hasTiles ? 1 : 0.25,
      fadeAnimation: !prefersReducedMotion(),
      zoomAnimation: !prefersReducedMotion(),
    });
    if (fit.length > 0) made.fitBounds(L.latLngBounds(fit.map(toLatLng)), roomForZones);
    else made.setView(toLatLng(center), zoom);
    const follow = new ResizeObserver(() => made.invalidateSize({ animate: false }));
    follow.observe(ground.current);
    setMap(made);
    return () => {
      follow.disconnect();
      made.remove();
      setMap(null);
    };
  }, [ground, center, zoom, fit, hasTiles]);
  return map;
}

/** Moves the view whenever the centre or the zoom changes after the first render. */
export function useCenter(map: L.Map | null, { latitude, longitude }: Point, zoom: number) {
  const wanted = `${latitude} ${longitude} ${zoom}`;
  const before = useRef(wanted);
  useEffect(() => {
    if (!map || before.current === wanted) return;
    before.current = wanted;
    map.setView([latitude, longitude], zoom, { animate: !prefersReducedMotion() });
  }, [map, wanted, latitude, longitude, zoom]);
}

/**
 * Keeps points in the view: the first view holds them, and so does the view whenever one of them has left it. After
 * the visitor has moved the map it stays where it is.
 */
export function useKeepInView(map: L.Map | null, points: readonly Point[]) {
  const isMovedByVisitor = useRef(false);
  const isFirst = useRef(true);
  const isOurs = useRef(false);
  useEffect(() => {
    if (!map) return;
    isFirst.current = true;
    isMovedByVisitor.current = false;
    const stop = () => {
      if (!isOurs.current) isMovedByVisitor.current = true;
    };
    map.on('dragstart zoomstart', stop);
    const ground = map.getContainer();
    ground.addEventListener('keydown', stop);
    return () => {
      map.off('dragstart zoomstart', stop);
      ground.removeEventListener('keydown', stop);
    };
  }, [map]);
  const wanted = points.map(({ latitude, longitude }) => `${latitude} ${longitude}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the points are compared by what they are
  useEffect(() => {
    if (!map || points.length === 0 || isMovedByVisitor.current) return;
    const view = map.getBounds();
    if (!isFirst.current && points.every((point) => view.contains(toLatLng(point)))) return;
    isOurs.current = true;
    // Without an animation the move is over when the call returns, so that no move of the visitor is taken for ours.
    map.fitBounds(L.latLngBounds(points.map(toLatLng)), { ...roomForMarks, animate: false });
    isOurs.current = false;
    isFirst.current = false;
  }, [map, wanted]);
}

/** Draws the way of the courier; an empty one draws nothing. */
export function useRoute(map: L.Map | null, route: readonly (readonly number[])[]) {
  useEffect(() => {
    if (!map || route.length < 2) return;
    const line = L.polyline(route as [number, number][], {
      className: 'map-route',
      interactive: false,
    }).addTo(map);
    return () => void line.remove();
  }, [map, route]);
}

/** Shows tiles under everything else; an empty pattern shows none. */
export function useTiles(map: L.Map | null, pattern: string) {
  useEffect(() => {
    if (!map || pattern === '') return;
    const tiles = L.tileLayer(pattern).addTo(map);
    return () => void tiles.remove();
  }, [map, pattern]);
}

/** The least zoom at which the names of streets are shown. */
const namesFrom = 14;

/** Draws streets under everything else, with their names from the zoom `namesFrom` on. */
export function useStreetLines(map: L.Map | null, streets: readonly MapStreet[]) {
  useEffect(() => {
    if (!map || streets.length === 0) return;
    const lines = streets.map(({ name, line }) => {
      const street = L.polyline(line as [number, number][], {
        className: 'map-street',
        interactive: false,
      })
        .bindTooltip(name, { permanent: true, direction: 'center', className: 'map-street-name' })
        .addTo(map)
        .bringToBack();
      // A listener has no use for dozens of names before what the map is for.
      street.getTooltip()?.getElement()?.setAttribute('aria-hidden', 'true');
      return street;
    });
    const showNames = () =>
      map.getContainer().classList.toggle('map-shows-names', map.getZoom() >= namesFrom);
    showNames();
    map.on('zoomend', showNames);
    return () => {
      map.off('zoomend', showNames);
      for (const line of lines) line.remove();
    };
  }, [map, streets]);
}

/** Draws zones with their labels. */
export function useZones(map: L.Map | null, zones: readonly MapZone[]) {
  useEffect(() => {
    if (!map) return;
    const shapes = zones.map(({ area, tint, label }) => {
      const shape = L.polygon(area as [number, number][], {
        className: `map-zone map-zone-${zoneColour(tint)}`,
        interactive: false,
      }).addTo(map);
      if (label) {
        const element = document.createElement('span');
        element.textContent = label;
        shape.bindTooltip(element, {
          permanent: true,
          direction: 'center',
          // Below the middle, where the marker of the kitchen mostly is.
          offset: [0, 14],
          className: 'map-zone-label',
        });
        // The label is no tooltip for screen readers.
        shape.getTooltip()?.getElement()?.removeAttribute('role');
      }
      return shape;
    });
    return () => {
      for (const shape of shapes) shape.remove();
    };
  }, [map, zones]);
}

interface MarkerAt extends Pick<MapMarker, 'at' | 'onChoose'> {
  /** Whether the marker glides to its next point, above all other markers. */
  isMoving?: boolean;
}

/**
 * Returns an element at a point of the map for the caller to render into, null until the map is ready. It moves
 * with the point and calls `onChoose` for a tap. It has no size, so for the keyboard and for screen readers what is
 * rendered must be a button then; one that gets the focus out of view is moved into it.
 */
export function useMarkerAt(
  map: L.Map | null,
  { at: { latitude, longitude }, onChoose, isMoving = false }: MarkerAt,
): HTMLElement | null {
  const [placed, setPlaced] = useState<{ marker: L.Marker; element: HTMLElement } | null>(null);
  const isActive = onChoose !== undefined;
  useEffect(() => {
    if (!map) return;
    const element = document.createElement('span');
    const marker = L.marker([0, 0], {
      icon: L.divIcon({
        html: element,
        className: classes('map-marker', isMoving && 'map-rides'),
        iconSize: [0, 0],
      }),
      interactive: isActive,
      keyboard: false,
      // The moving marker matters most: it is shown above the others.
      zIndexOffset: isMoving ? 1000 : 0,
    }).addTo(map);
    element.addEventListener('focusin', ({ target }) => {
      // A press moves the focus too, and would miss a marker that goes away under it.
      if (target instanceof Element && target.matches(':focus-visible')) {
        map.panInside(marker.getLatLng(), { padding: [44, 44] });
      }
    });
    setPlaced({ marker, element });
    return () => void marker.remove();
  }, [map, isActive, isMoving]);
  useEffect(
    () => void placed?.marker.setLatLng([latitude, longitude]),
    [placed, latitude, longitude],
  );
  useEffect(() => {
    if (!placed || !onChoose) return;
    placed.marker.on('click', onChoose);
    return () => void placed.marker.off('click', onChoose);
  }, [placed, onChoose]);
  return placed?.element ?? null;
}

/** Calls `onPick` with the point of a tap on the map outside its markers. */
export function usePick(map: L.Map | null, onPick: ((point: Point) => void) | undefined) {
  useEffect(() => {
    if (!map || !onPick) return;
    const pick = ({ latlng }: L.LeafletMouseEvent) =>
      onPick({ latitude: latlng.lat, longitude: latlng.lng });
    map.on('click', pick);
    return () => void map.off('click', pick);
  }, [map, onPick]);
}

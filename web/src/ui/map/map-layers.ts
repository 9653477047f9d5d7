import * as L from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { classes } from '../classes';
import { type MapMarker, type MapStreet, type MapZone, type Point, zoneColour } from './map-things';

const toLatLng = ({ latitude, longitude }: Point): [number, number] => [latitude, longitude];

/** Reports whether the visitor has asked for less motion. */
export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

interface MapStart {
  center: Point;
  zoom: number;
  fit: readonly Point[];
  hasTiles: boolean;
}

/** Makes a map in an element and removes it with the component; null until it is ready. */
export function useMap(ground: { current: HTMLElement | null }, start: MapStart): L.Map | null {
  const [map, setMap] = useState<L.Map | null>(null);
  // The first view only: later the visitor moves the map.
  const [{ center, zoom, fit, hasTiles }] = useState(start);
  useEffect(() => {
    if (!ground.current) return;
    const made = L.map(ground.current, {
      zoomControl: false,
      attributionControl: false,
      minZoom: 8,
      maxZoom: 18,
      // Tiles are drawn for whole steps; our own shapes fit at any.
      zoomSnap: hasTiles ? 1 : 0.25,
      fadeAnimation: !prefersReducedMotion(),
      zoomAnimation: !prefersReducedMotion(),
    });
    if (fit.length > 0) made.fitBounds(L.latLngBounds(fit.map(toLatLng)), { padding: [12, 12] });
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

/** Moves the view when the centre or the zoom changes; `useMap` sets the first view. */
export function useCenter(map: L.Map | null, { latitude, longitude }: Point, zoom: number) {
  const wanted = `${latitude} ${longitude} ${zoom}`;
  const before = useRef(wanted);
  useEffect(() => {
    if (!map || before.current === wanted) return;
    before.current = wanted;
    map.setView([latitude, longitude], zoom, { animate: !prefersReducedMotion() });
  }, [map, wanted, latitude, longitude, zoom]);
}

/** Lays tiles under everything; an empty pattern lays none. */
export function useTiles(map: L.Map | null, pattern: string) {
  useEffect(() => {
    if (!map || pattern === '') return;
    const tiles = L.tileLayer(pattern).addTo(map);
    return () => void tiles.remove();
  }, [map, pattern]);
}

/** From this zoom on there is room for the names of streets. */
const namesFrom = 14;

/** Draws streets under everything else; their names show where there is room. */
export function useStreetLines(map: L.Map | null, streets: readonly MapStreet[]) {
  useEffect(() => {
    if (!map || streets.length === 0) return;
    const lines = streets.map(({ name, line }) =>
      L.polyline(line as [number, number][], { className: 'map-street', interactive: false })
        .bindTooltip(name, { permanent: true, direction: 'center', className: 'map-street-name' })
        .addTo(map)
        .bringToBack(),
    );
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

/** Draws zones with their labels. Returns the elements that the labels are to be rendered into. */
export function useZones(map: L.Map | null, zones: readonly MapZone[]) {
  const [labels, setLabels] = useState<{ zone: MapZone; element: HTMLElement }[]>([]);
  useEffect(() => {
    if (!map) return;
    const drawn = zones.map((zone) => {
      const colour = zoneColour(zone.tint);
      const element = document.createElement('span');
      const shape = L.polygon(zone.area as [number, number][], {
        className: `map-zone map-zone-${colour}`,
        interactive: false,
      }).addTo(map);
      if (zone.label) {
        shape.bindTooltip(element, {
          permanent: true,
          direction: 'center',
          // A kitchen is mostly in the middle: its marker points there from above.
          offset: [0, 14],
          className: 'map-zone-label',
        });
        // A sign on the map, not the tooltip of something; on small maps it is empty.
        shape.getTooltip()?.getElement()?.removeAttribute('role');
      }
      return { zone, element, shape };
    });
    setLabels(drawn);
    return () => {
      for (const { shape } of drawn) shape.remove();
    };
  }, [map, zones]);
  return labels;
}

interface MarkerAt extends Pick<MapMarker, 'at' | 'onChoose'> {
  /** Whether it moves while it is looked at: it glides to its next point. */
  isMoving?: boolean;
}

/** Returns an element at a point of the map, to be rendered into; it moves with the point. */
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
      keyboard: isActive,
      // The moving marker matters most: it is shown above the others.
      zIndexOffset: isMoving ? 1000 : 0,
    }).addTo(map);
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

/** Listens for taps on the map beside its markers. */
export function usePick(map: L.Map | null, onPick: ((point: Point) => void) | undefined) {
  useEffect(() => {
    if (!map || !onPick) return;
    const pick = ({ latlng }: L.LeafletMouseEvent) =>
      onPick({ latitude: latlng.lat, longitude: latlng.lng });
    map.on('click', pick);
    return () => void map.off('click', pick);
  }, [map, onPick]);
}

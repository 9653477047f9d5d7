import type { Map as LeafletMap } from 'leaflet';
import { useEffect } from 'react';
import { type Box, type Shift, takeRoom } from './label-room';

/** Where a label may stand: its own place only. */
const ownPlace: readonly Shift[] = [{ x: 0, y: 0 }];
/** Where the label of a zone may stand, in the order in which the places are tried. */
const aroundMiddle: readonly Shift[] = [
  ...ownPlace,
  { x: 0, y: 24 },
  { x: 0, y: -24 },
  { x: 0, y: -56 },
  { x: -48, y: 0 },
  { x: 48, y: 0 },
  { x: 0, y: 48 },
  { x: 0, y: -80 },
];

/**
 * Keeps the labels of a map from overlapping: labels of zones are shifted, and hidden where there is no room; names of
 * shops shrink to their icons; names of streets are hidden. It arranges them again after each zoom, and when a label
 * changes or a marker moves.
 */
export function useLabelRoom(map: LeafletMap | null) {
  useEffect(() => {
    if (!map) return;
    let frame = 0;
    const schedule = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => arrange(map.getContainer()));
    };
    const changes = new MutationObserver(schedule);
    const { markerPane, tooltipPane } = map.getPanes();
    const content = { childList: true, subtree: true, characterData: true };
    // A marker that moves has another style.
    if (markerPane) changes.observe(markerPane, { ...content, attributeFilter: ['style'] });
    if (tooltipPane) changes.observe(tooltipPane, content);
    map.on('zoomend resize', schedule);
    void document.fonts?.ready.then(schedule);
    schedule();
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      map.off('zoomend resize', schedule);
    };
  }, [map]);
}

/** Arranges the labels of the map in an element. Pins stay; zones come before shops, and shops before streets. */
function arrange(ground: HTMLElement) {
  const all = (selector: string) => [...ground.querySelectorAll<HTMLElement>(selector)];
  const pins = all('.map-marker .map-pin').filter(isVisible);
  const zones = all('.map-zone-label');
  const streets = all('.map-street-name');
  for (const pin of pins) pin.setAttribute('data-crowded', '');
  for (const zone of zones) zone.style.margin = '0';
  const taken = pins.map(boxOf);
  const zoneBoxes = zones.map(boxOf);
  const streetBoxes = streets.map(boxOf);
  for (const pin of pins) pin.removeAttribute('data-crowded');
  const wholePins = pins.map(boxOf);

  zones.forEach((zone, i) => {
    const shift = room(taken, zoneBoxes[i], aroundMiddle);
    zone.toggleAttribute('data-crowded', !shift);
    if (shift) zone.style.margin = `${shift.y}px 0 0 ${shift.x}px`;
  });
  pins.forEach((pin, i) => {
    // A pin is in the way of all but its own name.
    const [own, whole] = [taken[i], wholePins[i]];
    const others = taken.filter((box) => box !== own);
    const hasRoom = whole && takeRoom(others, whole, ownPlace);
    pin.toggleAttribute('data-crowded', !hasRoom);
    if (hasRoom && whole) taken[i] = whole;
  });
  streets.forEach((street, i) => {
    street.toggleAttribute('data-crowded', !room(taken, streetBoxes[i], ownPlace));
  });
}

/** Returns how a label finds room, as `takeRoom` does. A label that is not shown, and so has no size, takes none. */
function room(taken: Box[], label: Box | undefined, shifts: readonly Shift[]): Shift | undefined {
  if (!label || label.right === label.left) return shifts[0];
  return takeRoom(taken, label, shifts);
}

const isVisible = (element: HTMLElement) => getComputedStyle(element).visibility === 'visible';

const boxOf = (element: HTMLElement): Box => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return { left, top, right, bottom };
};

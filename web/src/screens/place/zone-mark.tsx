import { zoneColour } from '@/ui/map/map-things';

const colours = ['bg-zone-1', 'bg-zone-2', 'bg-zone-3', 'bg-zone-4'];

/** A delivery zone's colour, as it is on the map. */
export function ZoneMark({ tint }: { tint: string }) {
  // The colours of zones are numbered from 1.
  const colour = colours[zoneColour(tint) - 1];
  return (
    <span
      aria-hidden="true"
      className={`mt-1 size-4 shrink-0 rounded-full forced-color-adjust-none ${colour}`}
    />
  );
}

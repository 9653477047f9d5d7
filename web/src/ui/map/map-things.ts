/** A point on earth in degrees, as the contract has it. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** An area on the map with its label. */
export interface MapZone {
  id: number;
  /** Corners as latitude and longitude; the last joins the first. */
  area: readonly (readonly number[])[];
  /** Name of a zone tint of the theme, `a` to `d`. */
  tint: string;
  /** Stands inside of the area: price and time. */
  label?: string;
}

/** A street of a map without tiles. */
export interface MapStreet {
  name: string;
  /** Points as latitude and longitude. */
  line: readonly (readonly number[])[];
}

/** A marker at a point. */
export interface MapMarker {
  id: number | string;
  at: Point;
  kind: 'shop' | 'home';
  /** Stands beside the sign where there is room; always spoken. */
  name: string;
  /** For a marker of little importance: only the sign shows, and on a small map not even that. */
  plain?: boolean;
  /** Stands out from the others. */
  chosen?: boolean;
  /** Called for a tap; without it the marker cannot be tapped. */
  onChoose?: () => void;
}

/** Where a map's tiles come from. */
export interface MapTiles {
  /** Address pattern with {z}, {x} and {y}; empty draws no tiles. */
  pattern: string;
  /** The attribution that the tiles' licence requires. */
  attribution?: string;
}

export interface MapViewProps {
  /** What the map shows, in words; spoken. */
  label: string;
  center: Point;
  zoom: number;
  /** Points that the first view must hold; `center` and `zoom` are for when there are none. */
  fit?: readonly Point[];
  zones?: readonly MapZone[];
  streets?: readonly MapStreet[];
  markers?: readonly MapMarker[];
  /** Where the courier is; the mark moves with it. */
  courier?: Point;
  /** Called for a tap on the map beside its markers. The caller must offer a way without the map too. */
  onPick?: (point: Point) => void;
  tiles: MapTiles;
}

const tints = ['a', 'b', 'c', 'd'];

/** Returns the number of the theme's zone colour for a tint's name; an unknown name gets the first. */
export const zoneColour = (tint: string) => Math.max(0, tints.indexOf(tint)) + 1;

/** Returns the corners of all areas, for a view that holds them. */
export const cornersOf = (zones: readonly Pick<MapZone, 'area'>[]): Point[] =>
  zones.flatMap(({ area }) =>
    area.map(([latitude = 0, longitude = 0]) => ({ latitude, longitude })),
  );

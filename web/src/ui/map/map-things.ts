/** A point on earth in degrees, as the contract has it. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** An area on the map with its label. */
export interface MapZone {
  /** Corners as latitude and longitude; the last joins the first. */
  area: readonly (readonly number[])[];
  /** Name of a zone tint of the theme, `a` to `d`. */
  tint: string;
  /** A text inside the area, such as price and time. */
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
  /** Shown beside the icon on a wide map; screen readers always read it. */
  name: string;
  /** Whether the marker is less important: only its icon is shown, and nothing on a small map. */
  plain?: boolean;
  /** Whether it is highlighted. */
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
  /** The address of the city's map file; it is drawn where there is no pattern. */
  file?: string;
}

export interface MapViewProps {
  /** The name of the map for screen readers. */
  label: string;
  center: Point;
  zoom: number;
  /** Points that the first view must contain; without them `center` and `zoom` decide the view. */
  fit?: readonly Point[];
  zones?: readonly MapZone[];
  streets?: readonly MapStreet[];
  markers?: readonly MapMarker[];
  /** Where the courier is; the mark moves with it. One who does not move is shown more quietly. */
  courier?: { at: Point; isMoving: boolean };
  /** The way that the courier takes, as latitude and longitude. */
  route?: readonly (readonly number[])[];
  /**
   * Points that stay in the view, however they move: when one leaves it, the view holds all of them again, unless
   * the visitor has moved the map.
   */
  keep?: readonly Point[];
  /** Called for a tap on the map beside its markers. The caller must offer the same choice without the map too. */
  onPick?: (point: Point) => void;
  tiles: MapTiles;
}

const tints = ['a', 'b', 'c', 'd'];

/** Returns the number of the theme's zone colour for a tint's name: 1 to 4, 1 for an unknown name. */
export const zoneColour = (tint: string) => Math.max(0, tints.indexOf(tint)) + 1;

/** Returns the corners of all areas, for the `fit` of a map. */
export const cornersOf = (zones: readonly Pick<MapZone, 'area'>[]): Point[] =>
  zones.flatMap(({ area }) =>
    area.map(([latitude = 0, longitude = 0]) => ({ latitude, longitude })),
  );

import {
  CenteredTextSymbolizer,
  type Feature,
  GeomType,
  type LabelRule,
  LineLabelSymbolizer,
  LineSymbolizer,
  OffsetTextSymbolizer,
  type PaintRule,
  PolygonSymbolizer,
} from 'protomaps-leaflet';

/** A colour as red, green and blue, each 0 to 255. */
type Rgb = readonly [number, number, number];

/** The brand's colours of the page as it is now, light or dark. */
export interface Palette {
  raised: Rgb;
  surface: Rgb;
  ink: Rgb;
  inkSoft: Rgb;
  accent: Rgb;
  good: Rgb;
}

/** Water is blue on the maps of all brands: mixed into the brand's ground. */
const blue: Rgb = [88, 146, 204];

/** Returns a colour in between: `share` of the second one, 0 to 1. */
const mix = (one: Rgb, other: Rgb, share: number) =>
  one.map((part, i) => Math.round(part + ((other[i] ?? 0) - part) * share)) as unknown as Rgb;

const css = (colour: Rgb) => `rgb(${colour.join(', ')})`;

/** Reports whether a colour is rather dark than light. */
const isDark = ([red, green, blue]: Rgb) => red * 0.3 + green * 0.59 + blue * 0.11 < 128;

/** Returns the colours of the map. */
export function mapColours({ raised, surface, ink, inkSoft, accent, good }: Palette) {
  const dark = isDark(raised);
  // Roads are the brightest lines of a light map; on a dark one they stand out from the ground as well.
  const road = dark ? mix(raised, ink, 0.14) : surface;
  return {
    earth: css(raised),
    built: css(mix(raised, ink, dark ? 0.02 : 0.025)),
    park: css(mix(raised, good, dark ? 0.16 : 0.2)),
    water: css(mix(raised, blue, dark ? 0.3 : 0.42)),
    building: css(mix(raised, ink, dark ? 0.06 : 0.07)),
    casing: css(mix(raised, ink, dark ? 0 : 0.14)),
    road: css(road),
    main: css(mix(road, accent, dark ? 0.18 : 0.12)),
    highway: css(mix(road, accent, dark ? 0.32 : 0.34)),
    rail: css(mix(raised, ink, 0.22)),
    boundary: css(mix(raised, ink, 0.28)),
    label: css(inkSoft),
    title: css(ink),
    waterLabel: css(mix(blue, ink, dark ? 0.35 : 0.3)),
    halo: css(raised),
  };
}

type Colours = ReturnType<typeof mapColours>;

/** Returns a width that grows with the zoom between two given ones. */
const growing =
  (...[from, narrow, to, wide]: [number, number, number, number]) =>
  (zoom: number) =>
    narrow * (wide / narrow) ** Math.min(1, Math.max(0, (zoom - from) / (to - from)));

const kindOf = (feature: Feature) => String(feature.props.kind);
const isKind =
  (...kinds: string[]) =>
  (_zoom: number, feature: Feature) =>
    kinds.includes(kindOf(feature));

/** Returns the rules for a kind of roads: a line below for the edges, and the road. */
const roads = (kind: string, colour: string, casing: string, width: (zoom: number) => number) => {
  const filter = isKind(kind);
  const line = { lineCap: 'round', lineJoin: 'round' } as const;
  return {
    edge: {
      dataLayer: 'roads',
      minzoom: 11,
      filter,
      symbolizer: new LineSymbolizer({ color: casing, width: (z) => width(z) + 1.5, ...line }),
    },
    road: {
      dataLayer: 'roads',
      filter,
      symbolizer: new LineSymbolizer({ color: colour, width, ...line }),
    },
  };
};

/** Returns how the layers of a map are painted, from the ground up. */
export function paintRules(colours: Colours): PaintRule[] {
  const area = (dataLayer: string, fill: string, filter?: PaintRule['filter']): PaintRule => ({
    dataLayer,
    filter,
    symbolizer: new PolygonSymbolizer({ fill }),
  });
  const minor = roads('minor_road', colours.road, colours.casing, growing(12, 0.6, 18, 16));
  const major = roads('major_road', colours.main, colours.casing, growing(9, 0.8, 18, 22));
  const highway = roads('highway', colours.highway, colours.casing, growing(7, 1, 18, 24));
  return [
    area('earth', colours.earth),
    area('landuse', colours.built, isKind('residential', 'commercial', 'industrial', 'railway')),
    area(
      'landuse',
      colours.park,
      isKind(
        ...['park', 'garden', 'forest', 'wood', 'grass', 'meadow', 'cemetery', 'nature_reserve'],
        ...['village_green', 'allotments', 'golf_course', 'scrub', 'grassland', 'playground'],
        ...['recreation_ground', 'national_park', 'protected_area'],
      ),
    ),
    area('water', colours.water, (_zoom, feature) => feature.geomType === GeomType.Polygon),
    {
      dataLayer: 'water',
      filter: (_zoom, feature) => feature.geomType === GeomType.Line,
      symbolizer: new LineSymbolizer({ color: colours.water, width: growing(9, 0.6, 18, 8) }),
    },
    { ...area('buildings', colours.building), minzoom: 14 },
    {
      dataLayer: 'boundaries',
      symbolizer: new LineSymbolizer({ color: colours.boundary, width: 0.7, dash: [3, 2] }),
    },
    {
      dataLayer: 'roads',
      minzoom: 14,
      filter: isKind('path'),
      symbolizer: new LineSymbolizer({ color: colours.road, width: growing(14, 0.7, 18, 4) }),
    },
    minor.edge,
    major.edge,
    highway.edge,
    minor.road,
    major.road,
    highway.road,
    {
      dataLayer: 'roads',
      filter: isKind('rail'),
      symbolizer: new LineSymbolizer({ color: colours.rail, width: growing(11, 0.6, 18, 2) }),
    },
  ];
}

/**
 * Returns the names of an object in the order in which they are looked for: in the page's language, for a page in
 * Latin letters in English, and at last as the signs on the spot have it.
 */
export const nameProperties = (language: string) => [
  `name:${language}`,
  ...(['ru', 'uk'].includes(language) ? [] : ['name:en']),
  'name',
];

/** Returns how names are written, in a font family and in the order of their importance: none overlaps another. */
export function labelRules(colours: Colours, language: string, family: string): LabelRule[] {
  const labelProps = nameProperties(language);
  const halo = { stroke: colours.halo, width: 2 };
  const street = (
    dataLayer: string,
    minzoom: number,
    filter: LabelRule['filter'],
    fill: string,
  ) => ({
    dataLayer,
    minzoom,
    filter,
    symbolizer: new LineLabelSymbolizer({
      labelProps,
      fill,
      ...halo,
      font: `500 11px ${family}`,
      repeatDistance: 300,
      maxLabelChars: 40,
    }),
  });
  const isCity = (feature: Feature) => kindOf(feature) === 'locality';
  return [
    {
      dataLayer: 'places',
      filter: (zoom, feature) => isCity(feature) && zoom <= 13,
      sort: (one, other) => Number(one.min_zoom) - Number(other.min_zoom),
      symbolizer: new CenteredTextSymbolizer({
        labelProps,
        fill: colours.title,
        ...halo,
        font: (_zoom, feature) =>
          `600 ${Number(feature?.props.population_rank) > 9 ? 16 : 13}px ${family}`,
      }),
    },
    {
      dataLayer: 'places',
      minzoom: 12,
      filter: isKind('macrohood', 'neighbourhood'),
      symbolizer: new CenteredTextSymbolizer({
        labelProps,
        fill: colours.label,
        ...halo,
        font: `600 12px ${family}`,
      }),
    },
    street('roads', 13, isKind('highway', 'major_road'), colours.label),
    street('water', 13, (_zoom, feature) => feature.geomType === GeomType.Line, colours.waterLabel),
    street('roads', 16, isKind('minor_road'), colours.label),
    {
      dataLayer: 'pois',
      minzoom: 14,
      filter: isKind('station'),
      symbolizer: new OffsetTextSymbolizer({
        labelProps,
        fill: colours.label,
        ...halo,
        font: `500 11px ${family}`,
      }),
    },
  ];
}

import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useSyncExternalStore } from 'react';
import { CityLayer } from './city-layer';
import { labelRules, mapColours, type Palette, paintRules } from './city-paint';

const darkScheme = '(prefers-color-scheme: dark)';

/** Returns the brand's colours as they are at an element. */
function readPalette(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  /** Reads a token as red, green and blue, however the theme writes it. */
  const read = (token: string): Palette['ink'] => {
    if (!context) return [128, 128, 128];
    context.fillStyle = style.getPropertyValue(token);
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  };
  return {
    raised: read('--raised'),
    surface: read('--surface'),
    ink: read('--ink'),
    inkSoft: read('--ink-soft'),
    accent: read('--accent'),
    good: read('--good'),
  };
}

/** Follows whether the visitor has chosen dark colours. */
function subscribeToScheme(onChange: () => void) {
  const query = matchMedia(darkScheme);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/**
 * Shows the tiles of a map file under everything else, in the brand's colours and with names in the language;
 * without an address it shows none.
 */
export function useCityLayer(map: LeafletMap | null, url: string | undefined, language: string) {
  const isDark = useSyncExternalStore(subscribeToScheme, () => matchMedia(darkScheme).matches);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the palette is read again when the scheme changes
  useEffect(() => {
    if (!map || !url) return;
    const container = map.getContainer();
    const colours = mapColours(readPalette(container));
    const family = getComputedStyle(container).fontFamily;
    const layer = new CityLayer({
      url,
      paint: paintRules(colours),
      labels: labelRules(colours, language, family),
      ground: colours.earth,
    }).addTo(map);
    // Tests and measurements wait for it.
    layer.on('load', () => container.setAttribute('data-tiles', 'shown'));
    return () => void layer.remove();
  }, [map, url, language, isDark]);
}

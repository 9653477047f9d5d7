import * as L from 'leaflet';
import { PMTiles } from 'pmtiles';
import {
  Labelers,
  type LabelRule,
  type PaintRule,
  type PreparedTile,
  paint,
  sourcesToViews,
  type View,
} from 'protomaps-leaflet';
import { readMapFile } from './map-file';

/** How far names and wide lines of a tile reach into its neighbours, in pixels. */
const overlap = 16;
/** How many tiles' names are remembered. */
const labelledTiles = 64;

/** Opens a map file and returns the view that reads its tiles. It throws when the file cannot be read. */
async function openFile(url: string): Promise<View> {
  const file = new PMTiles({
    getKey: () => url,
    getBytes: async (offset, length, signal) => ({
      data: await readMapFile(url, offset, length, signal),
    }),
  });
  const { maxZoom } = await file.getHeader();
  const view = sourcesToViews({ url: file, maxDataZoom: maxZoom }).get('');
  if (!view) throw new Error('no view of the map file');
  return view;
}

export interface CityLayerOptions {
  url: string;
  paint: PaintRule[];
  labels: LabelRule[];
  /** The colour where the file has no tile. */
  ground: string;
}

/** A layer with the tiles of a map file, drawn in the browser. Without the file it shows nothing. */
export class CityLayer extends L.GridLayer {
  readonly #rules: CityLayerOptions;
  readonly #view: Promise<View>;
  readonly #labelers: Labelers | undefined;
  /** The tiles in the map by their keys. */
  readonly #shown = new Map<string, { coords: L.Coords; canvas: HTMLCanvasElement }>();

  constructor(rules: CityLayerOptions) {
    super({ keepBuffer: 1 });
    this.#rules = rules;
    this.#view = openFile(rules.url);
    const scratch = document.createElement('canvas').getContext('2d');
    if (scratch) {
      this.#labelers = new Labelers(scratch, rules.labels, labelledTiles, (keys) => {
        for (const key of keys) {
          const tile = this.#shown.get(key);
          if (tile) void this.#draw(tile.coords, tile.canvas).catch(() => {});
        }
      });
    }
    this.on('tileunload', ({ coords }: L.TileEvent) => this.#shown.delete(keyOf(coords)));
  }

  override createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas');
    this.#shown.set(keyOf(coords), { coords, canvas });
    this.#draw(coords, canvas).then(
      () => done(undefined, canvas),
      (error: Error) => done(error, canvas),
    );
    return canvas;
  }

  /** Draws a tile with the names that have room. It throws when the tile cannot be loaded. */
  async #draw({ x, y, z }: L.Coords, canvas: HTMLCanvasElement) {
    const view = await this.#view;
    const tiles = new Map<string, PreparedTile[]>([['', [await view.getDisplayTile({ x, y, z })]]]);
    // The map may have moved to another zoom while the tile was loading.
    if (this.#shown.get(keyOf({ x, y, z }))?.canvas !== canvas) return;
    this.#labelers?.add(z, tiles);
    const { ground, paint: rules } = this.#rules;
    const ratio = window.devicePixelRatio;
    canvas.width = canvas.height = 256 * ratio;
    const context = canvas.getContext('2d');
    if (!context) return;
    context.scale(ratio, ratio);
    context.fillStyle = ground;
    context.fillRect(0, 0, 256, 256);
    const [left, top] = [256 * x, 256 * y];
    const box = {
      minX: left - overlap,
      minY: top - overlap,
      maxX: left + 256 + overlap,
      maxY: top + 256 + overlap,
    };
    const names = this.#labelers?.getIndex(z) ?? null;
    paint(context, z, tiles, names, rules, box, L.point(left, top) as never, false);
  }
}

const keyOf = ({ x, y, z }: Pick<L.Coords, 'x' | 'y' | 'z'>) => `${x}:${y}:${z}`;

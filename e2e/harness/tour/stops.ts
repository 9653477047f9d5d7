import { modals, routes } from '../visits.ts';
import { dialogStops } from './dialogs.ts';
import { formStops } from './forms.ts';
import { openStops } from './open.ts';
import { screenStops } from './screens.ts';
import type { Brand, Tour } from './tour.ts';

export type Device = 'phone' | 'desktop';
export type Colours = 'light' | 'dark' | 'forced';

/** A page, a dialog or a part that opens over them, and the way to show it. */
export interface Stop {
  /** The brands that have it; without it all brands. */
  brands?: readonly Brand[];
  /** The device that has it; without it both. */
  device?: Device;
  /** Whether it is for guests only. */
  isGuest?: boolean;
  show: (tour: Tour) => Promise<void>;
}

const table: Record<string, Stop> = { ...screenStops, ...dialogStops, ...formStops, ...openStops };

/** Returns the pages and dialogs of the code that no stop shows. */
export function unvisited(): string[] {
  const names = [...routes.map((name) => `route ${name}`), ...modals.map((name) => `modal ${name}`)];
  return names.filter((name) => !Object.hasOwn(table, name));
}

/** Returns the stops whose page or dialog is not in the code any more. */
export function unknown(): string[] {
  return Object.keys(table).filter((name) => {
    const [kind, rest] = name.split(' ');
    if (kind === 'route') return !routes.includes(rest ?? '');
    return kind === 'modal' && !modals.includes(rest ?? '');
  });
}

/** A stop and the colours in which a round shows it. */
export interface Look {
  name: string;
  stop: Stop;
  colours: readonly Colours[];
}

const brands = ['sushi', 'shawarma', 'pizza'] as const;
const devices = ['phone', 'desktop'] as const;
const allColours = ['light', 'dark', 'forced'] as const;

/** A tour of a customer of a brand on a device. */
export interface Round {
  brand: Brand;
  device: Device;
  looks: Look[];
}

/** Reports whether a brand has a stop on a device. */
const isThere = (stop: Stop, brand: Brand, device: Device) =>
  (!stop.brands || stop.brands.includes(brand)) && (!stop.device || stop.device === device);

/** Returns every stop with every brand that has it, on each device, in all colours. */
export function wholeRounds(): Round[] {
  return brands.flatMap((brand) =>
    devices.map((device) => ({
      brand,
      device,
      looks: Object.entries(table)
        .filter(([, stop]) => isThere(stop, brand, device))
        .map(([name, stop]) => ({ name, stop, colours: allColours })),
    })),
  );
}

/** Returns every stop once. Brands, devices and colours take turns, so that all of them occur. */
export function shortRounds(): Round[] {
  const rounds = brands.flatMap((brand) => devices.map((device): Round => ({ brand, device, looks: [] })));
  for (const [place, [name, stop]] of Object.entries(table).entries()) {
    const fitting = rounds.filter(({ brand, device }) => isThere(stop, brand, device));
    const round = fitting[place % fitting.length] as Round;
    const colours = allColours[Math.floor(place / rounds.length) % allColours.length] as Colours;
    round.looks.push({ name, stop, colours: [colours] });
  }
  return rounds;
}

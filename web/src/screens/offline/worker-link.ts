import type { ToWorker } from '@/worker/rules';

/** The city whose pages are to be readable. */
export interface OfflineCity {
  id: number;
  alias: string;
}

/** How long the page is at rest before the worker loads its files, in milliseconds. */
const restTime = 1000;

/** Registers the worker once the page is at rest. Without one the page works as before. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  setTimeout(() => navigator.serviceWorker.register('/sw.js').catch(() => undefined), restTime);
}

/** Has the pages of a city ready for the time without a network; not where the visitor saves data. */
export async function prepareCity({ id, alias }: OfflineCity, language: string): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || savesData()) return;
  const { active } = await navigator.serviceWorker.ready;
  const message: ToWorker = {
    type: 'prepare',
    language,
    pages: ['', '/cart', '/shops', '/order/-/tracking'].map((page) => `/${alias}${page}`),
    reads: [`/api/cities/${alias}`, `/api/shops?city_id=${id}`],
  };
  active?.postMessage(message);
}

/** Whether the visitor has asked the browser to save data. */
const savesData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

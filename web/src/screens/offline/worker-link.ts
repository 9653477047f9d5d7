import type { ToWorker } from '@/worker/rules';

/** The city whose pages are stored for reading without a network. */
export interface OfflineCity {
  id: number;
  alias: string;
}

/** How long the registration of the worker waits, so that the page loads first, in milliseconds. */
const restTime = 1000;

/** Registers the worker after a pause, in production only. Without a worker the page works as before. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  setTimeout(() => navigator.serviceWorker.register('/sw.js').catch(() => undefined), restTime);
}

/**
 * Asks the worker, and each later worker, to store the pages of a city for reading without a network. It
 * does nothing when the visitor saves data. Returns a function that ends this.
 */
export function prepareCity({ id, alias }: OfflineCity, language: string): () => void {
  if (!('serviceWorker' in navigator) || savesData()) return () => undefined;
  const { serviceWorker } = navigator;
  const message: ToWorker = {
    type: 'prepare',
    language,
    files: findBrandFiles(),
    pages: ['', '/cart', '/shops', '/order/-/tracking'].map((page) => `/${alias}${page}`),
    reads: [`/api/cities/${alias}`, `/api/shops?city_id=${id}`],
  };
  const send = () => serviceWorker.controller?.postMessage(message);
  send();
  serviceWorker.addEventListener('controllerchange', send);
  return () => serviceWorker.removeEventListener('controllerchange', send);
}

/** Returns the addresses of the brand's style sheet and fonts. */
const findBrandFiles = () =>
  [...document.querySelectorAll<HTMLLinkElement>('link[href^="/media/"]')]
    .filter((link) => link.rel === 'stylesheet' || link.as === 'font')
    .map((link) => new URL(link.href).pathname);

/** Reports whether the visitor has asked the browser to save data. */
const savesData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

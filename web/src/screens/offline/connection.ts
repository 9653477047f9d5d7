import type { QueryClient } from '@tanstack/react-query';
import { createStore } from '@/lib/store';
import type { FromWorker } from '@/worker/rules';

/** The state of the connection to the server. */
export interface Connection {
  isOffline: boolean;
  /** When the shown data was stored, in milliseconds since 1970; undefined when that is not known. */
  storedAt?: number;
}

const online: Connection = { isOffline: false };

/** The store of the connection's state, as far as the page knows it. */
export const connection = createStore<Connection>(online);

/** How often an offline page checks whether the server can be reached again, in milliseconds. */
const probeTime = 10_000;

/** The address of a small file that the service worker never answers from its store. */
const probed = '/robots.txt';

/**
 * Keeps `connection` up to date by the browser's network events, the worker's messages about stored answers, and
 * the mark of a document that came from the store. Once the server can be reached again, all queries are loaded
 * again. Returns a function that ends this.
 */
export function followConnection(client: QueryClient): () => void {
  const check = () => void probe(client);
  const lose = (storedAt?: number) => {
    const before = connection.get();
    connection.set({ isOffline: true, storedAt: storedAt ?? before.storedAt });
    if (!before.isOffline) check();
  };
  const onOffline = () => lose();
  const onMessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'from-store') lose(data.storedAt);
  };
  const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  addEventListener('offline', onOffline);
  addEventListener('online', check);
  worker?.addEventListener('message', onMessage);
  const timer = setInterval(
    () => connection.get().isOffline && !document.hidden && check(),
    probeTime,
  );
  const storedAt = storedTime(document);
  if (storedAt !== undefined) lose(storedAt);
  else if (!navigator.onLine) lose();
  return () => {
    removeEventListener('offline', onOffline);
    removeEventListener('online', check);
    worker?.removeEventListener('message', onMessage);
    clearInterval(timer);
  };
}

/**
 * Checks whether the server can be reached. If it can after being offline, marks the page as online and loads
 * all queries again.
 */
export async function probe(client: QueryClient): Promise<void> {
  try {
    await fetch(probed, { method: 'HEAD', cache: 'no-store' });
  } catch {
    return;
  }
  if (!connection.get().isOffline) return;
  connection.set(online);
  await client.invalidateQueries();
}

/** Returns when the page's document was stored on the device; undefined when it came from the server. */
function storedTime(page: Document): number | undefined {
  const text = page.getElementById('page-data')?.dataset.storedAt;
  return text === undefined ? undefined : Number(text);
}

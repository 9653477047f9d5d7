import {
  documentKey,
  type FromWorker,
  type Handling,
  handlingOf,
  markStored,
  type OfflineFiles,
  type PersonalStore,
  readMessage,
  staleStores,
  type ToWorker,
} from './rules';

/** The used part of a worker's scope, which the types of a page do not have. */
interface WorkerScope extends EventTarget {
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(options?: { type: 'window' }): Promise<Page[]>;
    openWindow(path: string): Promise<unknown>;
  };
  registration: {
    showNotification(title: string, options: NotificationOptions): Promise<void>;
    getNotifications(): Promise<{ close(): void }[]>;
    pushManager?: PushManager;
  };
}

/** A page that the worker serves. */
interface Page {
  url: string;
  postMessage(message: FromWorker): void;
  focus(): Promise<unknown>;
}

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Extendable {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Pushed extends Extendable {
  data: { text(): string } | null;
}

interface Pressed extends Extendable {
  notification: { close(): void; data: { path: string } };
}

/** Replaced by the build. */
declare const __OFFLINE_FILES__: OfflineFiles;

const scope = self as unknown as WorkerScope;
const offline = __OFFLINE_FILES__;
const assetStore = `assets-${offline.release}`;
const documentStore = `documents-${offline.release}`;
const sharedStore = 'shared';
const personalStore: PersonalStore = 'personal';

/** How many answers each store has at most. */
const maxAnswers: Record<string, number> = {
  [documentStore]: 30,
  [sharedStore]: 60,
  [personalStore]: 5,
};

/** How long the network may take before a stored document is used, in milliseconds. */
const documentWait = 5000;

/** The header with the time of storing, since a store has no dates. */
const storedHeader = 'X-Stored-At';

/** How often the visitor's data was deleted. An answer that was requested before the last time is not stored. */
let forgetCount = 0;

scope.addEventListener('install', (event) => {
  (event as Extendable).waitUntil(addFiles(offline.files).then(() => scope.skipWaiting()));
});

// Pages of an earlier release go on: their files stay in the store of that release, and on the server.
scope.addEventListener('activate', (event) => {
  const tidy = async () => {
    const names = staleStores(await caches.keys(), offline.release);
    await Promise.all(names.map((name) => caches.delete(name)));
    await scope.clients.claim();
  };
  (event as Extendable).waitUntil(tidy());
});

scope.addEventListener('fetch', (event) => {
  const { request } = event as Fetching;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  const isNavigation = request.mode === 'navigate';
  const handling = handlingOf({ method: request.method, pathname, isNavigation });
  if (handling) (event as Fetching).respondWith(answers[handling](request, event as Fetching));
});

scope.addEventListener('message', (event) => {
  const message = (event as MessageEvent<ToWorker>).data;
  const work = message.type === 'forget' ? forget(message) : prepare(message);
  (event as Event as Extendable).waitUntil(work);
});

scope.addEventListener('push', (event) => {
  const message = readMessage((event as Pushed).data?.text());
  if (!message) return;
  const { title, body, tag, lang, path } = message;
  const shown = scope.registration.showNotification(title, { body, tag, lang, data: { path } });
  (event as Pushed).waitUntil(shown);
});

scope.addEventListener('notificationclick', (event) => {
  const { notification } = event as Pressed;
  notification.close();
  (event as Pressed).waitUntil(showPage(notification.data.path));
});

/** Focuses the window that shows the page, or opens a new window. */
async function showPage(path: string): Promise<void> {
  const open = await scope.clients.matchAll({ type: 'window' });
  const page = open.find(({ url }) => new URL(url).pathname === path);
  await (page ? page.focus() : scope.clients.openWindow(path));
}

const answers: Record<Handling, (request: Request, event: Extendable) => Promise<Response>> = {
  asset: answerAsset,
  document: answerDocument,
  shared: (request, event) => answerRead(request, event, sharedStore),
  personal: (request, event) => answerRead(request, event, personalStore),
};

/**
 * Answers with a stored file of any release, since a file never changes under its name; otherwise from the
 * network, and stores it.
 */
async function answerAsset(request: Request, event: Extendable): Promise<Response> {
  const known = await caches.match(request.url, { ignoreVary: true });
  if (known) return known;
  // Tried twice, because a browser does not load a failed module again.
  const answer = await fetch(request).catch(() => fetch(request));
  if (answer.status === 200) event.waitUntil(put(assetStore, request.url, answer.clone()));
  return answer;
}

/**
 * Answers with the server's document and stores it. A stored document is used when the network or the server
 * fails, or takes more than five seconds.
 */
async function answerDocument(request: Request, event: Extendable): Promise<Response> {
  const key = documentKey(new URL(request.url).pathname);
  const known = await findDocument(key);
  const fresh = fetch(request).then((answer) => {
    const isDocument = answer.headers.get('Content-Type')?.startsWith('text/html');
    if (answer.status === 200 && isDocument)
      event.waitUntil(put(documentStore, key, answer.clone()));
    return answer;
  });
  if (!known) return fresh;
  const stored = () => readStored(known);
  const usable = fresh.then((answer) => (isServerDown(answer) ? stored() : answer), stored);
  event.waitUntil(usable.catch(() => undefined));
  return Promise.race([usable, sleep(documentWait).then(stored)]);
}

/** Reports whether an answer says that the server cannot be reached or is overloaded. */
const isServerDown = ({ status }: Response): boolean => status >= 502 && status <= 504;

/** Returns a stored document, marked as stored. */
async function readStored(response: Response): Promise<Response> {
  const html = markStored(await response.clone().text(), storedAt(response));
  return new Response(html, { headers: response.headers });
}

/**
 * Answers a read of the API from the network and stores the answer. When the network fails, it answers from the
 * store and reports that to the pages.
 */
async function answerRead(request: Request, event: Extendable, store: string): Promise<Response> {
  const { url } = request;
  const countBefore = forgetCount;
  try {
    const answer = await fetch(request);
    const canStore = answer.status === 200 && countBefore === forgetCount;
    if (canStore) event.waitUntil(put(store, url, answer.clone()));
    // The server refuses the order: it no longer belongs to this visitor.
    else if (store === personalStore && answer.status < 500)
      event.waitUntil(caches.open(store).then((cache) => cache.delete(url)));
    return answer;
  } catch (error) {
    const known = await find(store, url);
    if (!known || request.signal.aborted) throw error;
    event.waitUntil(announceStored(storedAt(known)));
    return known;
  }
}

/** Stores an answer with its time as the newest of its store, and deletes the oldest answers above the limit. */
async function put(store: string, key: string, answer: Response): Promise<void> {
  const headers = new Headers(answer.headers);
  // The body is stored uncompressed.
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name);
  headers.set(storedHeader, String(Date.now()));
  const body = await answer.blob();
  const cache = await caches.open(store);
  await cache.delete(key);
  await cache.put(key, new Response(body, { headers }));
  const keys = await cache.keys();
  const spare = keys.slice(0, Math.max(0, keys.length - (maxAnswers[store] ?? keys.length)));
  await Promise.all(spare.map((old) => cache.delete(old)));
}

/** Returns a stored answer and ignores its Vary header, because the key is enough. */
const find = async (store: string, key: string): Promise<Response | undefined> =>
  (await caches.open(store)).match(key, { ignoreVary: true });

/** Returns a stored document of this release, otherwise of the newest earlier release that has it. */
async function findDocument(key: string): Promise<Response | undefined> {
  const known = await find(documentStore, key);
  if (known) return known;
  const before = (await caches.keys()).filter((name) => name.startsWith('documents-')).reverse();
  for (const store of before) {
    const found = await find(store, key);
    if (found) return found;
  }
  return undefined;
}

/** Stores those files that no store has yet. */
async function addFiles(names: readonly string[]): Promise<void> {
  const add = async (name: string) => {
    if (await caches.match(name, { ignoreVary: true })) return;
    const answer = await fetch(name);
    if (answer.status === 200) await put(assetStore, name, answer);
  };
  await Promise.all(names.map(add));
}

/**
 * Stores the files of a language, pages and answers. Pages and answers are loaded one after another, so that
 * they do not delay the visitor's own calls.
 */
async function prepare(message: ToWorker & { type: 'prepare' }): Promise<void> {
  const { language, files, pages, reads } = message;
  try {
    await addFiles([...(offline.languages[language] ?? []), ...files]);
    for (const [paths, store] of [
      [pages, documentStore],
      [reads, sharedStore],
    ] as const) {
      for (const path of paths) {
        const key = store === documentStore ? documentKey(path) : new URL(path, location.href).href;
        const answer = await fetch(path);
        if (answer.status === 200) await put(store, key, answer);
      }
    }
  } catch {
    // Without a network nothing more can be stored.
  }
}

/**
 * Deletes the visitor's stored answers. It also closes the notifications and ends the push subscription, unless
 * these stay.
 */
async function forget({ keepsPush }: ToWorker & { type: 'forget' }): Promise<void> {
  forgetCount += 1;
  await caches.delete(personalStore);
  if (keepsPush) return;
  for (const shown of await scope.registration.getNotifications()) shown.close();
  await (await scope.registration.pushManager?.getSubscription())?.unsubscribe();
}

/** Posts to all pages that an answer is from the store. */
async function announceStored(at: number): Promise<void> {
  for (const client of await scope.clients.matchAll())
    client.postMessage({ type: 'from-store', storedAt: at });
}

/** Returns when an answer was stored, in milliseconds since 1970. */
const storedAt = (response: Response): number => Number(response.headers.get(storedHeader));

const sleep = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

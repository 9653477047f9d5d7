/**
 * How the worker answers a request. An `asset` (a file of the build) comes from the store. A `document`, a
 * `shared` answer (the same for all visitors) and a `personal` answer come from the network, or from the store
 * when the network fails.
 */
export type Handling = 'asset' | 'document' | 'shared' | 'personal';

/** The name of the store of the visitor's own answers. It is a type, because page and worker share no code. */
export type PersonalStore = 'personal';

interface Asked {
  method: string;
  pathname: string;
  isNavigation: boolean;
}

/** Reads of the API that are the same for all visitors of a place. */
const shared = /^\/api\/(cities|shops|products|pages)(\/|$)/;

/** The path of a brand's style sheet or font, which never changes under its name, like a file of the build. */
const brandFile = /^\/media\/[0-9a-f]{32}\.(css|woff2)$/;

/** The path of an order that this visitor may see. */
const personal = /^\/api\/order\/\d{1,15}$/;

/** The paths that are no pages or must never come from a store: sign-ins, payments, the operator. */
const untouched =
  /^\/(api|assets|media|sitemap|auth|staff|console|dev)(\/|$)|^\/[^/]*\.[^/]*$|^\/[^/]+\/(order\/payment|back-to-home)(\/|$)/;

/**
 * Returns how a request is handled; undefined for a request that the worker leaves to the browser. That includes
 * every request that changes data, so that the worker never repeats or delays one.
 */
export function handlingOf({ method, pathname, isNavigation }: Asked): Handling | undefined {
  if (method !== 'GET') return undefined;
  if (isNavigation) return untouched.test(pathname) ? undefined : 'document';
  if (pathname.startsWith('/assets/') || brandFile.test(pathname)) return 'asset';
  if (shared.test(pathname)) return 'shared';
  if (personal.test(pathname)) return 'personal';
  return undefined;
}

/**
 * Returns the path under which a document is stored. The pages of all orders share a path, because their
 * documents have no data of an order.
 */
export const documentKey = (pathname: string): string =>
  pathname.replace(/^(\/[^/]+\/order)\/.*$/, '$1/-/tracking').replace(/(.)\/$/, '$1');

/** Returns a document with the mark and time of storing, so that the page loads its data again and shows its age. */
export const markStored = (html: string, storedAt: number): string =>
  html.replace(
    /<script type="application\/json" id="page-data"[^>]*>/,
    `<script type="application/json" id="page-data" data-stale data-stored-at="${storedAt}">`,
  );

/** The files of the build that are stored for reading without a network. */
export interface OfflineFiles {
  /** Changes with every build. */
  release: string;
  /** The files that every language needs. */
  files: readonly string[];
  /** The files of each language. */
  languages: Readonly<Record<string, readonly string[]>>;
}

const releaseStores = /^(assets|documents)-(.+)$/;

/**
 * Returns the names of the stores of old releases to delete. Those of the current release and of the newest
 * `keepCount - 1` others stay. `names` must be in order of creation.
 */
export function staleStores(names: readonly string[], current: string, keepCount = 2): string[] {
  const releaseOf = (name: string) => releaseStores.exec(name)?.[2];
  const earlier = [...new Set(names.map(releaseOf))].filter(
    (release) => release !== undefined && release !== current,
  );
  const dropped = new Set(earlier.slice(0, Math.max(0, earlier.length - (keepCount - 1))));
  return names.filter((name) => dropped.has(releaseOf(name)));
}

/** A message from the page to its worker. */
export type ToWorker =
  /** Store these pages and files for reading without a network. */
  | {
      type: 'prepare';
      language: string;
      /** Files that the page has besides those of the build. */
      files: readonly string[];
      pages: readonly string[];
      reads: readonly string[];
    }
  /** Delete all data of the visitor. */
  | {
      type: 'forget';
      /** Whether notifications and the push subscription stay. Pages of an earlier release do not send it. */
      keepsPush?: boolean;
    };

/** The worker's message that the network has failed and the page's answer is from the store. */
export interface FromWorker {
  type: 'from-store';
  /** Milliseconds since 1970. */
  storedAt: number;
}

/** A state of an order that the server sends to this browser. */
export interface OrderMessage {
  title: string;
  body: string;
  /** A later message of the order takes the place of an earlier one with the same tag. */
  tag: string;
  /** The page of the order. */
  path: string;
  lang: string;
}

/** Returns the message of a push; undefined when the text is not a message. */
export function readMessage(text: string | undefined): OrderMessage | undefined {
  let message: Partial<OrderMessage> | null;
  try {
    message = JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
  const { title, body = '', tag = '', path, lang = '' } = message ?? {};
  // A path of another site would begin with two slashes.
  if (typeof title !== 'string' || typeof path !== 'string' || !/^\/[^/\\]/.test(path)) {
    return undefined;
  }
  return { title, body, tag, path, lang };
}

import { type ComponentType, lazy, useState } from 'react';

/** A page of its own chunk. */
export interface LazyRoute {
  /** The name of its file in `routes/`. */
  name: string;
  /** Loads the chunk, so that the page renders at once without a skeleton. */
  preload: () => Promise<void>;
  /** Sets the page directly; for the server, which has all pages. */
  provide: (page: ComponentType) => void;
  /** Returns the page if it is loaded, otherwise a component that suspends until it is. */
  pick: () => ComponentType;
}

/**
 * Returns a route whose page is loaded when it is first shown, as by React's `lazy`. A preloaded page renders at
 * once: the entry preloads the page of the document, so that hydration does not replace it by a skeleton.
 */
export function lazyRoute(
  name: string,
  load: () => Promise<{ default: ComponentType }>,
): LazyRoute {
  let ready: ComponentType | undefined;
  const provide = (page: ComponentType) => {
    ready = page;
  };
  const Lazy = lazy(load);
  return {
    name,
    preload: async () => provide((await load()).default),
    provide,
    pick: () => ready ?? Lazy,
  };
}

/** Shows a lazy route. */
export function LazyPage({ route }: { route: LazyRoute }) {
  // Pick once: `pick` returns another component after the chunk has loaded, and the change would lose the page's state.
  const [Page] = useState(route.pick);
  return <Page />;
}

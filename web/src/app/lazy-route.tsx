import { type ComponentType, lazy, useState } from 'react';

/** A page of its own chunk. */
export interface LazyRoute {
  /** The name of its file in `routes/`. */
  name: string;
  /** Loads the chunk; the page then renders at once, with no skeleton between. */
  preload: () => Promise<void>;
  /** Sets the page itself, on the server, where nothing has to be loaded. */
  provide: (page: ComponentType) => void;
  /** Returns the page if it is loaded, otherwise a component that suspends until it is. */
  pick: () => ComponentType;
}

/**
 * Returns a route like React's `lazy`, but a preloaded page renders at once. The entry preloads the
 * document's page before it hydrates, so that what the server rendered is never replaced by a
 * skeleton.
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
  // Picked once: `pick` returns another component when the chunk is there, and the change would lose the page's state.
  const [Page] = useState(route.pick);
  return <Page />;
}

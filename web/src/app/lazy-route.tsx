import { type ComponentType, lazy, useState } from 'react';

/** A page of its own chunk. */
export interface LazyRoute {
  /** The name of its file in `routes/`. */
  name: string;
  Component: ComponentType;
  /** Loads the chunk; the page then renders at once, with no skeleton between. */
  preload: () => Promise<void>;
  /** Gives the page itself, where nothing has to be loaded: on the server. */
  provide: (page: ComponentType) => void;
}

/**
 * Like `lazy`, but a preloaded page renders at once. The entry preloads the document's page before
 * it hydrates, so that what the server rendered is never replaced by a skeleton.
 */
export function lazyRoute(
  name: string,
  load: () => Promise<{ default: ComponentType }>,
): LazyRoute {
  let ready: ComponentType | undefined;
  const Lazy = lazy(load);
  return {
    name,
    Component: function Route() {
      // Chosen once: a change from one to the other would throw the page's state away.
      const [Page] = useState<ComponentType>(() => ready ?? Lazy);
      return <Page />;
    },
    preload: async () => {
      ready = (await load()).default;
    },
    provide: (page) => {
      ready = page;
    },
  };
}

import type { Plugin } from 'vite';

/** The module that Vite's build imports in each chunk that loads others, and the name of its function. */
const helper = '\0vite/preload-helper.js';

/** Has chunks loaded by `load-chunk.ts`, which asks again for what the network has lost, in place of Vite's own way. */
export function retryChunks(): Plugin {
  return {
    name: 'retry-chunks',
    apply: 'build',
    enforce: 'pre',
    load: (id) =>
      id === helper
        ? `export { loadChunk as __vitePreload } from '/src/lib/load-chunk.ts';`
        : undefined,
  };
}

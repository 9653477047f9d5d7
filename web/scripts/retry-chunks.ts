import type { Plugin } from 'vite';

/** The module that Vite's build imports in each chunk that loads others, and the name of its function. */
const helper = '\0vite/preload-helper.js';

/** Returns a plugin of Vite by which chunks are loaded by `load-chunk.ts`, which requests a lost chunk again. */
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

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const worthCompressing = /\.(js|css|svg|json|txt|html)$/;

/** Writes `*.br` (quality 11) and `*.gz` beside each text asset, so that the server never compresses. */
export function compressAssets(): Plugin {
  let outDir = 'dist';
  return {
    name: 'compress-assets',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    async writeBundle() {
      const assets = join(outDir, 'assets');
      for (const name of await readdir(assets)) {
        if (!worthCompressing.test(name)) continue;
        const path = join(assets, name);
        const bytes = await readFile(path);
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        };
        await writeFile(`${path}.br`, await brotli(bytes, { params }));
        await writeFile(`${path}.gz`, await zip(bytes, { level: 9 }));
      }
    },
  };
}

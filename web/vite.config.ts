import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compressAssets } from './scripts/compress-assets.ts';
import { devDocument } from './scripts/dev-document.ts';
import { fewChunks } from './scripts/few-chunks.ts';
import { buildTarget } from './scripts/floor/floor.ts';
import { iconFiles } from './scripts/icon-files.ts';
import { languageTexts } from './scripts/language-texts.ts';
import { leanQueries } from './scripts/lean-queries.ts';
import { offlineFiles } from './scripts/offline-files.ts';
import { pageManifest } from './scripts/page-manifest.ts';
import { retryChunks } from './scripts/retry-chunks.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Two builds from one file: `vite build` makes the client's chunks, `vite build --ssr` makes one
 * classic script for the server's embedded JavaScript engine, with every dependency inside.
 */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    // The macro transform must come before React's plugin, which runs no Babel of its own.
    iconFiles(),
    leanQueries(),
    babel({ plugins: ['@lingui/babel-plugin-lingui-macro'], include: /\/src\/.*\.tsx?$/ }),
    react(),
    lingui(),
    languageTexts(),
    tailwindcss(),
    devDocument(),
    ...(isSsrBuild
      ? []
      : [retryChunks(), fewChunks(), pageManifest(), offlineFiles(), compressAssets()]),
  ],
  resolve: {
    alias: {
      '@': at('./src'),
      // React has had it for long; the package stands in for versions that had not.
      'use-sync-external-store/shim/index.js': 'react',
      // The colours of Protomaps' own maps, which ours do not use: they would be a sixth of the map's code.
      '@protomaps/basemaps': at('./src/ui/map/no-flavours.ts'),
      // Only renderToString: the streaming renderer wants MessageChannel and TextEncoder at load.
      ...(isSsrBuild && {
        'react-dom/server': at(
          './node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js',
        ),
      }),
    },
  },
  server: { proxy: { '/api': 'http://localhost:8080', '/media': 'http://localhost:8080' } },
  ...(isSsrBuild
    ? {
        ssr: { noExternal: true, target: 'webworker' as const },
        define: { 'process.env.NODE_ENV': '"production"' },
        build: {
          outDir: 'dist/ssr',
          emptyOutDir: true,
          copyPublicDir: false,
          target: 'es2020',
          minify: true,
          rolldownOptions: {
            output: { format: 'iife' as const, entryFileNames: 'entry.js', codeSplitting: false },
          },
        },
      }
    : {
        build: {
          outDir: 'dist',
          emptyOutDir: true,
          target: buildTarget,
          cssTarget: buildTarget,
          assetsInlineLimit: 0,
          modulePreload: { polyfill: false },
          rolldownOptions: {
            input: {
              entry: at('./src/app/entry-client.tsx'),
              'staff-invitation': at('./src/app/staff/invitation.ts'),
              sw: at('./src/worker/sw.ts'),
            },
            output: {
              // The worker is asked for by the same name in every release.
              entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash:7].js'),
              // The first script names all parts, and hashes cannot be compressed.
              chunkFileNames: 'assets/[name]-[hash:7].js',
              assetFileNames: 'assets/[name]-[hash:7][extname]',
            },
          },
        },
      }),
  test: {
    environment: 'happy-dom',
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    testTimeout: 20_000,
    pool: 'threads',
    maxWorkers: '100%',
    // Rules keep nothing between files, and to load all again for each takes longer than they do.
    projects: [
      {
        extends: true,
        test: { name: 'rules', include: ['{src,scripts}/**/*.test.ts'], isolate: false },
      },
      { extends: true, test: { name: 'screens', include: ['src/**/*.test.tsx'] } },
      // What the build has made: all of it is parsed, which takes seconds on a busy machine.
      { test: { name: 'built', include: ['built/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
}));

import type { Plugin } from 'vite';

/** The module with which the page starts. */
const pageEntry = '/src/app/entry-client.tsx';

/** What the page's entry imports by the index of a package, but only lazily loaded parts use. */
const laterOnly = /\/(useMutation|mutationObserver)\.js$/;

/** What is so small that the first chunk has it, lest a page waits for the late parts because of it. */
const small = /\/ui\/map\/load-map\.ts$/;

/** The chunks of what several lazily loaded parts share, by the paths of their modules; the first match counts. */
const shared: [name: string, modules: RegExp][] = [
  [
    'forms',
    /\/(valibot|react-hook-form|@hookform|@maskito)\/|\/ui\/fields\/phone|\/lib\/forms|\/kept-draft|\/entities\/(address-form|captcha|contact)\//,
  ],
  [
    'parts',
    /\/(@base-ui|@floating-ui|@tanstack|use-sync-external-store)\/|\/lucide-react\/|\/src\/(ui|lib)\/(?!map\/)|\/entities\/(session|words)\//,
  ],
  ['places', /\/src\/(screens\/(place|cities)|entities\/(city|place|place-choice)|ui\/map)\//],
  ['checkout', /\/src\/screens\/checkout\//],
  ['orders', /\/src\/entities\//],
];

/** What every page loads once it has hydrated or its document has loaded, in one chunk that needs no other. */
const late = new RegExp(
  [
    '(late-parts|cookie-notice)\\.tsx',
    'app/companions/(refresh-on-return|return-flash-focus)\\.ts',
    'app/modals/registry\\.ts',
    'screens/offline/.*',
    'entities/order/last-order\\.ts',
    'entities/session/other-tabs\\.ts',
    'entities/place-choice/refused-place\\.ts',
    'entities/cart/(rules|kept-changes|acknowledged/(store|changes-since))\\.ts',
    'lib/(dates|language-words|plural)\\.ts',
    'app/frame/scroll-to-top\\.tsx',
    'lucide-react/dist/esm/icons/(wifi-off|arrow-up)\\.mjs',
  ]
    .map((path) => `/${path}$`)
    .join('|'),
);

/**
 * Returns a plugin of Vite by which the page comes in few chunks: on a slow network a request costs more than a few
 * kilobytes that are not needed yet. What the page's entry imports is one chunk; what lazily loaded parts share is in
 * the chunks of `shared`. Other entries, such as the worker's, are left alone.
 */
export function fewChunks(): Plugin {
  const first = new Set<string>();
  const eager = new Set<string>();
  return {
    name: 'few-chunks',
    apply: 'build',
    buildEnd() {
      const addWithImports = (id: string, to: Set<string>) => {
        if (to.has(id) || laterOnly.test(id)) return;
        to.add(id);
        for (const imported of this.getModuleInfo(id)?.importedIds ?? [])
          addWithImports(imported, to);
      };
      for (const id of this.getModuleIds()) {
        if (this.getModuleInfo(id)?.isEntry) addWithImports(id, eager);
        if (id.endsWith(pageEntry)) addWithImports(id, first);
      }
    },
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'first', test: (id: string) => first.has(id) || small.test(id) },
          { name: 'late-parts', test: late },
          ...shared.map(([name, modules]) => ({
            name,
            test: (id: string) => modules.test(id) && !eager.has(id),
            minShareCount: 2,
          })),
        ],
      },
    }),
  };
}

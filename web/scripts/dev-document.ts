import type { Plugin } from 'vite';

const backend = process.env.SERVERY_URL ?? 'http://localhost:8080';

/**
 * Serves the document during development: the server's own when it runs, with the built assets
 * replaced by the sources; otherwise an empty one that is enough for `/dev/kit?brand=pizza&lang=ru`.
 * It has the look of the brand while the server runs, and the default theme without it.
 */
export function devDocument(): Plugin {
  return {
    name: 'dev-document',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const url = request.url ?? '/';
        const wantsPage = request.headers.accept?.includes('text/html') && request.method === 'GET';
        if (!wantsPage || url.startsWith('/@') || url.startsWith('/api/')) {
          next();
          return;
        }
        const cookie = request.headers.cookie ?? '';
        const html = url.startsWith('/dev/')
          ? emptyDocument(url, await lookOf(url))
          : await fetch(backend + url, { headers: { cookie, accept: 'text/html' } })
              .then(async (answer) => withSources(await answer.text()))
              .catch(() => emptyDocument(url));
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(await server.transformIndexHtml(url, html));
      });
    },
  };
}

const entry = '<script type="module" src="/src/app/entry-client.tsx"></script>';

/** Replaces the built entry and styles of a document by their sources. */
const withSources = (html: string) =>
  html
    .replace(/<link[^>]*href="\/assets\/[^>]*>/g, '')
    .replace(/<script[^>]*src="\/assets\/start-watch[^>]*><\/script>/, '')
    .replace(/<script[^>]*src="\/assets\/[^>]*><\/script>/, entry);

/** Returns the link to the style sheet of the brand in the query, from the server's document. */
async function lookOf(url: string): Promise<string> {
  const brand = new URL(url, backend).searchParams.get('brand') ?? 'sushi';
  const { protocol, port } = new URL(backend);
  return fetch(`${protocol}//${brand}.localhost:${port}/`, { headers: { accept: 'text/html' } })
    .then(
      async (answer) =>
        (await answer.text()).match(/<link[^>]*href="\/media\/[^>]*\.css">/)?.[0] ?? '',
    )
    .catch(() => '');
}

/** Returns a document without a body for the brand and the language in the query. */
function emptyDocument(url: string, look = ''): string {
  const query = new URL(url, backend).searchParams;
  const brand = query.get('brand') ?? 'sushi';
  const lang = query.get('lang') ?? 'en';
  const data = {
    page: 'app',
    lang,
    path: url,
    reports_errors: false,
    site: { alias: brand, name: 'Servery', languages: [lang], links: [], brands: [] },
    cities: { list: [], big_cities: [] },
  };
  return `<!doctype html><html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Servery</title>${look}</head>
<body><div id="root"></div><script type="application/json" id="page-data">${JSON.stringify(data)}</script>${entry}</body></html>`;
}

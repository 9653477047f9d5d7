import createClient from 'openapi-fetch';
import type { paths } from './schema';

/**
 * The contract's calls, typed. Use it inside `fetchData` (for reads) or `attempt` (for changes) of `./result`.
 * Language and session travel in cookies, so the browser adds them itself.
 */
export const api = createClient<paths>({
  baseUrl: '/api',
  credentials: 'same-origin',
  // Looked up at each call, so that tests can answer in the network's place.
  fetch: (request) => globalThis.fetch(request),
});

import createClient from 'openapi-fetch';
import type { paths } from './schema';

/**
 * The typed calls of the contract. Pass each call to `fetchData` (for reads) or `attempt` (for changes) of
 * `./result`. Language and session are in cookies, which the browser adds itself.
 */
export const api = createClient<paths>({
  baseUrl: '/api',
  credentials: 'same-origin',
  // Looked up at each call, so that tests can replace it.
  fetch: (request) => globalThis.fetch(request),
});

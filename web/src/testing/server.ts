import { HttpResponse, http, type JsonBodyType } from 'msw';
import { setupServer } from 'msw/node';
import type { paths } from '@/api/schema';
import type { Schema } from '@/api/types';

/** The fake network of the tests. A request without a handler fails the test. */
export const server = setupServer();

type Method = 'get' | 'post' | 'put' | 'delete';
type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends { responses: object } ? Path : never;
}[keyof paths];

type Answer<Path extends keyof paths, M extends Method> = paths[Path][M] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

type Sent = { request: Request; params: Record<string, string | readonly string[] | undefined> };

// Returns the pattern of a handler for a path of the contract, where `{alias}` becomes `:alias`.
const address = (path: string) => `*/api${path.replace(/\{(\w+)\}/g, ':$1')}`;

/**
 * Returns a handler that answers a call of the contract with `respond`: `server.use(answer('put', '/cart/add',
 * () => ({ cart })))`. The compiler checks the answer against the contract.
 */
export function answer<M extends Method, Path extends PathsWith<M>>(
  method: M,
  path: Path,
  respond: (sent: Sent) => Answer<Path, M> | Promise<Answer<Path, M>>,
) {
  return http[method](address(path), async ({ request, params }) =>
    HttpResponse.json((await respond({ request, params })) as JsonBodyType),
  );
}

/**
 * Returns a handler that refuses a call with a problem: `server.use(refuse('put', '/cart/add', 422, { message:
 * '…' }))`.
 */
export function refuse<M extends Method>(
  method: M,
  path: PathsWith<M>,
  status: number,
  problem: Schema<'Problem'>,
) {
  return http[method](address(path), () => HttpResponse.json(problem, { status }));
}

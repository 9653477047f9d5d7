import type { Client } from 'openapi-fetch';
import type { paths } from './schema';

/** The parts of a call of which its address, headers and body are made; the browser gets the rest as it is. */
interface Call extends Omit<RequestInit, 'body' | 'headers'> {
  params?: {
    path?: Record<string, string | number>;
    /** What is undefined is left out. */
    query?: Record<string, string | number | boolean | undefined>;
    header?: Record<string, string>;
  };
  body?: unknown;
}

/** Returns the method of `api` for an HTTP method. It rejects when there is no answer, or none that can be read. */
const method =
  (name: string) =>
  async (path: string, { params = {}, body, ...init }: Call = {}) => {
    const response = await fetch(addressOf(path, params), {
      ...init,
      method: name,
      credentials: 'same-origin',
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...params.header,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.ok) return { data: text ? JSON.parse(text) : undefined, response };
    return { error: parsed(text), response };
  };

/** Returns the address of a call: the contract's path with its values, and the query. */
function addressOf(path: string, { path: values = {}, query = {} }: NonNullable<Call['params']>) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `/api${filled}${given.length > 0 ? `?${search}` : ''}`;
}

/** Returns the value of a JSON text; undefined for a text that is none, such as a page of a proxy. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The typed calls of the contract. Pass each call to `fetchData` (for reads) or `attempt` (for changes) of
 * `./result`. Language and session are in cookies, which the browser adds itself. The types are those of
 * openapi-fetch; its code can do much that no call needs, and would be a fiftieth of the first script.
 */
export const api = {
  GET: method('GET'),
  PUT: method('PUT'),
  POST: method('POST'),
  DELETE: method('DELETE'),
} as Pick<Client<paths>, 'GET' | 'PUT' | 'POST' | 'DELETE'>;

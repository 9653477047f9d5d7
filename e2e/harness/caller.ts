import { type IncomingHttpHeaders, request } from 'node:http';
import type { BrowserContext } from '@playwright/test';
import type { components } from '../../web/src/api/schema';
import type { Language } from './texts.ts';
import { newAddress } from './address.ts';
import { operatorToken, type Program } from './program.ts';

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export interface Answer<Body> {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body;
}

/**
 * A customer, or the operator, who calls the server without a page: for calls that a page never sends, and for
 * changes on another device while the page is open.
 */
export class Caller {
  private readonly cookies = new Map<string, string>();
  private readonly address = newAddress();

  constructor(
    private readonly program: Program,
    private readonly brand: string,
    language: Language = 'ru',
    /** Called after each call with its method, its path and the status of its answer. */
    private readonly onAnswer: (method: string, path: string, status: number) => void = () => undefined,
  ) {
    this.cookies.set('language', language);
  }

  /**
   * Calls `/api` + path with the caller's cookies, and stores the cookies of the answer. A text is sent as it is, any
   * other body as JSON. The body of the answer is a text when it is no JSON.
   */
  async call<Body = Schema<'Problem'>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const sent =
      body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: this.program.port,
          method,
          path: `/api${path}`,
          headers: {
            host: `${this.brand}.localhost:${this.program.port}`,
            cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            ...(sent && { 'content-type': 'application/json' }),
            'content-length': Buffer.byteLength(sent),
            'x-forwarded-for': this.address,
            ...headers,
          },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('error', reject);
          answer.on('end', () => {
            this.keepCookies(answer.headers['set-cookie'] ?? []);
            this.onAnswer(method, path, answer.statusCode ?? 0);
            const text = Buffer.concat(parts).toString();
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: readBody(text) as Body,
            });
          });
        },
      );
      // After an answer this changes nothing: the server may refuse a body while it is still being sent.
      call.on('error', reject);
      call.end(sent);
    });
  }

  /** Makes a call and returns the body of its answer; throws unless the status is 200. */
  async ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call<Body>(method, path, body);
    if (answer.status !== 200) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  /** Makes a call of the operator and returns the body of its answer; throws unless the status is 200. */
  async operate<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call<Body>(method, `/operator${path}`, body, {
      authorization: `Bearer ${operatorToken}`,
    });
    if (answer.status !== 200) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  /** The address of the site that is called. */
  get origin(): string {
    return this.program.origin(this.brand);
  }

  /** Copies the caller's cookies into a browser, which then has the caller's session. */
  async lendSession(context: BrowserContext): Promise<void> {
    const url = this.origin;
    await context.addCookies([...this.cookies].map(([name, value]) => ({ name, value, url })));
  }

  /** Copies the cookies of a browser to the caller, who then has the browser's session. */
  async borrowSession(context: BrowserContext): Promise<void> {
    for (const { name, value } of await context.cookies(this.origin)) {
      this.cookies.set(name, value);
    }
  }

  /** Stores the cookies of `Set-Cookie` lines. */
  private keepCookies(lines: string[]) {
    for (const line of lines) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) this.cookies.set(name, value);
    }
  }
}

/** Returns the decoded JSON, or the text when it is no JSON. */
function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

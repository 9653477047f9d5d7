import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { addAddresses, type MadeStreet } from './addresses.ts';
import { type Content, type ContentChange, copyContent, copyDemo } from './content.ts';
import { type Database, freshDatabase } from './database.ts';
import { type Doubles, startDoubles } from './doubles.ts';

/** Who changes the status of orders: the demo's simulated kitchen and courier, or the test as the operator. */
export type Kitchen = 'simulated' | 'operated';

/** How a program is started. */
export interface Setup {
  kitchen: Kitchen;
  content: Content;
  /** Whether customers can also sign in with the double of VK ID. */
  vk: boolean;
  /** Whether addresses are found by DaData's double in front of the local index. */
  geocoder: boolean;
  /** How long an order that is paid online waits for its payment. */
  payWithin: string;
}

/** The token of the operator's calls. */
export const operatorToken = 'journeys-operator-of-the-tests';

const binary = resolve(import.meta.dirname, '..', process.env.SERVERY_BIN ?? '../bin/servery');
const startTimeout = 60_000;
const stopTimeout = 20_000;

/** One running program with its own data. */
export class Program {
  private readonly lines: string[] = [];

  private child: ChildProcess;

  private constructor(
    readonly port: number,
    private readonly env: NodeJS.ProcessEnv,
    private readonly folder: string,
    private readonly database: Database,
    private readonly doubles: Doubles | undefined,
    private readonly street: MadeStreet | undefined,
  ) {
    this.child = this.launch(binary);
  }

  /** Starts the program and waits until it is ready. */
  static async start({ kitchen, content, vk, geocoder, payWithin }: Setup): Promise<Program> {
    if (!existsSync(binary)) {
      throw new Error(`${binary} is missing: run "make build" first, or set SERVERY_BIN`);
    }
    const [port, folder, database] = await Promise.all([
      freePort(),
      mkdtemp(join(tmpdir(), 'servery-journeys-')),
      freshDatabase(),
    ]);
    const doubles = vk || geocoder ? await startDoubles(folder, { vk, geocoder }) : undefined;
    const contentFolder = join(folder, 'content');
    if (content !== 'demo') await copyContent(contentFolder, content);
    const street = content === 'addresses' ? await addAddresses(binary, contentFolder) : undefined;
    const env = {
      PATH: process.env.PATH,
      SERVERY_ADDR: `:${port}`,
      SERVERY_DATA: folder,
      DATABASE_URL: database.url,
      ...(content !== 'demo' && { SERVERY_CONTENT: contentFolder }),
      SERVERY_MAPS: resolve(import.meta.dirname, '../../content/demo/maps'),
      SERVERY_OPERATOR_TOKEN: operatorToken,
      SERVERY_SIMULATE: kitchen === 'simulated' ? 'on' : 'off',
      // Long enough to see each state.
      SERVERY_SIMULATE_PACE: '3s',
      SERVERY_PAYMENT_DEADLINE: payWithin,
      ...(doubles && { SERVERY_PROVIDERS: doubles.providers, SERVERY_MAILBOX: 'on' }),
      // Each test sends an address of its own as a proxy does, because codes are limited by address.
      SERVERY_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
      SERVERY_CALLS_PER_SECOND: '10000',
      SERVERY_LIMITS: 'off',
    };
    const program = new Program(port, env, folder, database, doubles, street);
    try {
      await program.ready();
    } catch (error) {
      await program.stop();
      throw error;
    }
    return program;
  }

  /** The address of a brand's site. */
  origin(brand: string): string {
    return `http://${brand}.localhost:${this.port}`;
  }

  /** A street of the made city that is delivered to; for the content with its addresses. */
  madeStreet(): MadeStreet {
    if (!this.street) throw new Error('this program has no made city: use the content "addresses"');
    return this.street;
  }

  /** Lets the next request to the geocoder's double go wrong. */
  async breakGeocoder(): Promise<void> {
    if (!this.doubles) throw new Error('this program has no doubles');
    await this.doubles.breakGeocoder();
  }

  /** Returns the log since a moment, which is a value of `mark`. */
  log(since = 0): string {
    return this.lines.join('').slice(since);
  }

  /** Returns the length of the log now. */
  mark(): number {
    return this.log().length;
  }

  /** Imports the demo with a change while the program runs, by `servery import`. */
  async import(change: ContentChange): Promise<void> {
    const folder = join(this.folder, 'next-content');
    await copyDemo(folder, change);
    await promisify(execFile)(binary, ['import', folder], { env: this.env });
  }

  /**
   * Adds an owner's account while the program runs, by `servery staff add`, and returns the path of the
   * invitation.
   */
  async addStaff(login: string, name: string): Promise<string> {
    const args = ['staff', 'add', '-role', 'owner', '-name', name, login];
    const { stdout } = await promisify(execFile)(binary, args, { env: this.env });
    const [path] = /\/staff\/invitation#\w+/.exec(stdout) ?? [];
    if (!path) throw new Error(`"servery staff add" prints no path: ${stdout}`);
    return path;
  }

  /** Ends the program and starts another release of it on the same data and port. */
  async replaceBy(release: string): Promise<void> {
    await this.end();
    this.child = this.launch(release);
    await this.ready();
  }

  /** Ends the program and its doubles, and removes its data. */
  async stop(): Promise<void> {
    await this.end();
    this.doubles?.stop();
    await Promise.all([rm(this.folder, { recursive: true, force: true }), this.database.drop()]);
  }

  /** Starts a release of the program and records its output in the log. */
  private launch(release: string): ChildProcess {
    const child = spawn(release, ['serve'], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => this.lines.push(text));
    }
    return child;
  }

  /** Ends the process by SIGTERM, or by SIGKILL when that takes too long, and waits for its end. */
  private async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const killer = setTimeout(() => this.child.kill('SIGKILL'), stopTimeout);
    await ended;
    clearTimeout(killer);
  }

  /** Waits until the program answers that it is ready; throws with its log when it ends or takes too long. */
  private async ready(): Promise<void> {
    const deadline = Date.now() + startTimeout;
    while (Date.now() < deadline) {
      if (this.child.exitCode !== null) break;
      const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await pause(100);
    }
    throw new Error(`the program did not become ready:\n${this.log()}`);
  }
}

/** Returns a port that no program listens on now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

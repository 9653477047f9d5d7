import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Content, type ContentChange, copyContent, copyDemo } from './content.ts';
import { type Database, freshDatabase } from './database.ts';
import { type Doubles, startDoubles } from './doubles.ts';

/** Who moves the orders: the demo's kitchen and courier, or the test itself as the operator. */
export type Kitchen = 'simulated' | 'operated';

/** What a program is started for. */
export interface Setup {
  kitchen: Kitchen;
  content: Content;
  /** Whether customers can sign in with VK ID too, at its double. */
  vk: boolean;
  /** How long an order that is paid online waits for its payment. */
  payWithin: string;
}

/** Lets a test call as the operator. */
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
  ) {
    this.child = this.launch(binary);
  }

  /** Starts the program and waits until it is ready. */
  static async start({ kitchen, content, vk, payWithin }: Setup): Promise<Program> {
    if (!existsSync(binary)) {
      throw new Error(`${binary} is missing: run "make build" first, or set SERVERY_BIN`);
    }
    const [port, folder, database] = await Promise.all([
      freePort(),
      mkdtemp(join(tmpdir(), 'servery-journeys-')),
      freshDatabase(),
    ]);
    const doubles = vk ? await startDoubles(folder) : undefined;
    const own = join(folder, 'content');
    if (content !== 'demo') await copyContent(own, content);
    const env = {
      PATH: process.env.PATH,
      SERVERY_ADDR: `:${port}`,
      SERVERY_DATA: folder,
      DATABASE_URL: database.url,
      ...(content !== 'demo' && { SERVERY_CONTENT: own }),
      SERVERY_OPERATOR_TOKEN: operatorToken,
      SERVERY_SIMULATE: kitchen === 'simulated' ? 'on' : 'off',
      // Long enough to see each state.
      SERVERY_SIMULATE_PACE: '3s',
      SERVERY_PAYMENT_DEADLINE: payWithin,
      ...(doubles && { SERVERY_PROVIDERS: doubles.providers, SERVERY_MAILBOX: 'on' }),
      // Each test says from which address it comes, as a proxy does: codes are counted by it.
      SERVERY_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
      SERVERY_CALLS_PER_SECOND: '10000',
      SERVERY_LIMITS: 'off',
    };
    const program = new Program(port, env, folder, database, doubles);
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

  /** What the program has logged since a moment that [mark] gave. */
  log(since = 0): string {
    return this.lines.join('').slice(since);
  }

  /** The length of the log now. */
  mark(): number {
    return this.log().length;
  }

  /** Imports the demo with a change while the program runs, as anyone who keeps the content does. */
  async import(change: ContentChange): Promise<void> {
    const folder = join(this.folder, 'next-content');
    await copyDemo(folder, change);
    await promisify(execFile)(binary, ['import', folder], { env: this.env });
  }

  /** Adds an account of an owner while the program runs, as its keeper does; returns the path that accepts its invitation. */
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

  /** Ends the program as a deployment does and removes its data. */
  async stop(): Promise<void> {
    await this.end();
    this.doubles?.stop();
    await Promise.all([rm(this.folder, { recursive: true, force: true }), this.database.drop()]);
  }

  private launch(release: string): ChildProcess {
    const child = spawn(release, ['serve'], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => this.lines.push(text));
    }
    return child;
  }

  /** Asks the process to end, kills it when it takes too long, and waits until it is gone. */
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

/** Finds a port that nothing listens on now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

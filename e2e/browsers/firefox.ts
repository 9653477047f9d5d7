import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../harness/program.ts';
import type { Command, Driver } from './driver.ts';

const startTimeout = 60_000;

/** Starts Firefox without a window, on a new profile, and drives it by Marionette, its own protocol. */
export async function startFirefox(binary: string): Promise<Driver> {
  const [profile, port] = await Promise.all([mkdtemp(join(tmpdir(), 'servery-firefox-')), freePort()]);
  await writeFile(join(profile, 'user.js'), `user_pref("marionette.port", ${port});\n`);
  const browser = spawn(binary, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    stdio: 'ignore',
    env: { ...process.env, HOME: profile },
  });
  const ended = once(browser, 'exit');
  const stop = async () => {
    browser.kill('SIGTERM');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const marionette = new Marionette(await connectTo(port));
    await marionette.send('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
    const send = async ({ name, path }: Command, body: Record<string, unknown>) => {
      const id = /^\/element\/([^/]+)/.exec(path)?.[1];
      return unwrap(await marionette.send(name, { ...body, ...(id !== undefined && { id }) }));
    };
    return { send, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Connects to Firefox once it listens; rejects after a minute. */
async function connectTo(port: number): Promise<Socket> {
  const deadline = Date.now() + startTimeout;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(200);
    }
  }
}

/** Returns the value of an answer: some commands answer with `{value}`, others with the value itself. */
const unwrap = (result: unknown): unknown =>
  typeof result === 'object' && result !== null && 'value' in result ? result.value : result;

type Answer = [type: 1, id: number, error: { error: string; message: string } | null, result: unknown];

/** Messages of Marionette: JSON with its length before it, `17:[0,1,"name",{}]`. */
class Marionette {
  private received = Buffer.alloc(0);
  private lastId = 0;
  private readonly waiting = new Map<number, (answer: Answer) => void>();

  constructor(private readonly socket: Socket) {
    socket.on('data', (bytes) => this.receive(bytes));
  }

  /** Sends a command and returns the result of its answer; rejects when the answer is an error. */
  async send(name: string, params: unknown): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    const answered = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    const message = Buffer.from(JSON.stringify([0, id, name, params]));
    this.socket.write(Buffer.concat([Buffer.from(`${message.length}:`), message]));
    const [, , error, result] = await answered;
    if (error) throw new Error(`${name}: ${error.error}: ${error.message}`);
    return result;
  }

  /** Adds bytes to those received, and resolves the calls whose answers are complete. */
  private receive(bytes: Buffer): void {
    this.received = Buffer.concat([this.received, bytes]);
    for (;;) {
      const colon = this.received.indexOf(':');
      if (colon < 0) return;
      const end = colon + 1 + Number(this.received.subarray(0, colon));
      if (this.received.length < end) return;
      const message: unknown = JSON.parse(this.received.subarray(colon + 1, end).toString());
      this.received = this.received.subarray(end);
      // The first message is a greeting.
      if (Array.isArray(message)) this.waiting.get(message[1])?.(message as Answer);
    }
  }
}

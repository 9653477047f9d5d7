import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../harness/program.ts';
import type { Command, Driver } from './driver.ts';

const startTimeout = 60_000;

/** Starts WebKitWebDriver, which starts MiniBrowser, and drives it by WebDriver. It needs a display. */
export async function startWebKit(driver: string, browser: string): Promise<Driver> {
  const port = await freePort();
  const process = spawn(driver, [`--port=${port}`], { stdio: 'ignore' });
  const ended = once(process, 'exit');
  const root = `http://127.0.0.1:${port}/session`;
  const stop = async () => {
    process.kill('SIGTERM');
    await ended;
  };
  try {
    const session = await begin(root, browser);
    const send = ({ method, path }: Command, body: Record<string, unknown>) =>
      call(method, `${root}/${session}${path}`, body);
    return {
      send,
      stop: async () => {
        await call('DELETE', `${root}/${session}`, {});
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Begins a session once the driver listens and returns its id; rejects after a minute. */
async function begin(root: string, binary: string): Promise<string> {
  const options = { binary, args: ['--automation'] };
  const body = { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } };
  const deadline = Date.now() + startTimeout;
  for (;;) {
    try {
      const { sessionId } = (await call('POST', root, body)) as { sessionId: string };
      return sessionId;
    } catch (error) {
      // A TypeError of fetch: the driver does not listen yet.
      if (!(error instanceof TypeError) || Date.now() > deadline) throw error;
      await pause(200);
    }
  }
}

/** Makes a call of WebDriver and returns its value; rejects when the answer is an error. */
async function call(method: string, url: string, body: unknown): Promise<unknown> {
  const answer = await fetch(url, { method, ...(method === 'POST' && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null };
  if (!answer.ok) throw new Error(`${method} ${url}: ${value?.error}: ${value?.message}`);
  return value;
}

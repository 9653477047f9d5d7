import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ServedDocument } from './documents.ts';

/** A message of the checker about a place in a file. */
interface Message {
  type: 'error' | 'info' | 'non-document-error';
  subType?: 'warning' | 'fatal';
  url?: string;
  message: string;
  extract?: string;
}

/**
 * Runs the W3C checker, the Java program `jar`, on the documents and returns its errors and warnings, a line
 * each.
 */
export async function faultsOfW3C(jar: string, documents: ServedDocument[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'servery-w3c-'));
  try {
    await Promise.all(documents.map(({ html }, place) => writeFile(join(folder, `${place}.html`), html)));
    const args = ['-jar', jar, '--stdout', '--format', 'json', '--exit-zero-always', folder];
    const checker = spawn('java', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const { messages } = JSON.parse(await text(checker.stdout)) as { messages: Message[] };
    // All other messages are advice, such as on the slash of void elements, which React writes.
    const faults = messages.filter(({ type, subType }) => type !== 'info' || subType === 'warning');
    return faults.map(({ url = '', message, extract = '' }) => {
      const name = documents[Number.parseInt(basename(url), 10)]?.name ?? url;
      return `${name}: ${message} ${extract}`;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

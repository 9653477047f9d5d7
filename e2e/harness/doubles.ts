import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The stand-ins of providers, and the file that names them to the program. */
export interface Doubles {
  providers: string;
  stop: () => void;
}

const binary = resolve(import.meta.dirname, '..', process.env.DOUBLES_BIN ?? '../bin/doubles');

/** Starts the stand-ins. Only VK ID is named to the program: codes come into its mailbox. */
export async function startDoubles(folder: string): Promise<Doubles> {
  const child = spawn(binary, ['-addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  // It says where it listens; an error of its start rejects.
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const { port } = new URL(String(line).trim());
  const providers = join(folder, 'providers.yaml');
  await writeFile(
    providers,
    `"*": {vk: {base_url: "http://localhost:${port}/vk", client_id: "51000001"}}\n`,
  );
  return { providers, stop: () => child.kill() };
}

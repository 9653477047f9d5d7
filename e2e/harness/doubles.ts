import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The running doubles of providers. `providers` is the path of the file of providers that names them. */
export interface Doubles {
  providers: string;
  /** Lets the next request to the stand-in for DaData go wrong. */
  breakGeocoder: () => Promise<void>;
  stop: () => void;
}

/** The stand-ins that are named to the program: VK ID, and DaData for the addresses of all cities. */
export interface Named {
  vk: boolean;
  geocoder: boolean;
}

const binary = resolve(import.meta.dirname, '..', process.env.DOUBLES_BIN ?? '../bin/doubles');

/** Starts the doubles and writes the file of providers, which names some of them: codes go to the program's mailbox. */
export async function startDoubles(folder: string, named: Named): Promise<Doubles> {
  const child = spawn(binary, ['-addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  // The first output is the address; an error of the start rejects.
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const { port } = new URL(String(line).trim());
  const origin = `http://localhost:${port}`;
  const lines = {
    vk: `  vk: {base_url: "${origin}/vk", client_id: "51000001"}\n`,
    geocoder: `  geocoders: [{provider: dadata, base_url: "${origin}/dadata", api_key: hunter2}]\n`,
  };
  const providers = join(folder, 'providers.yaml');
  await writeFile(providers, `"*":\n${named.vk ? lines.vk : ''}${named.geocoder ? lines.geocoder : ''}`);
  const breakGeocoder = async () => {
    const answer = await fetch(`${origin}/dadata/fault`, { method: 'POST', body: '{"status":502}' });
    if (!answer.ok) throw new Error(`the stand-in for DaData takes no fault: ${answer.status}`);
  };
  return { providers, breakGeocoder, stop: () => child.kill() };
}

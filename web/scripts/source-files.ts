import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface SourceFile {
  path: string;
  text: string;
}

/** Returns the files under src whose path passes the test, with their text. */
export function sourceFiles(wanted: (path: string) => boolean): SourceFile[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', name).replaceAll('\\', '/'))
    .filter(wanted)
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

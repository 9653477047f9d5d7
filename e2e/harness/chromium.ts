import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// The browser without a window is first, because it is faster.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Returns the path of Chromium: `CHROME_PATH`, or the first of the names on the PATH. It throws when there is
 * none.
 */
export function findChromium(): string {
  const wanted = process.env.CHROME_PATH;
  if (wanted) {
    if (existsSync(wanted)) return wanted;
    throw new Error(`CHROME_PATH names ${wanted}, and there is no such file`);
  }
  for (const name of names) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // The next name may be installed.
    }
  }
  throw new Error(
    `No browser was found: install the package chromium (any of ${names.join(', ')} will do), or set CHROME_PATH`,
  );
}

/** Arguments of the browser: no requests of its own, and no sandbox, so that root can start it too. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Leaves scripts as V8 compiles them at first. A journey ends before optimizing them pays: without it, all processes
 * of a run take a tenth less of the processors. Times are measured with it.
 */
export const unoptimized = '--js-flags=--no-maglev --no-turbofan';

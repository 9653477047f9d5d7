import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// The one without a window first: it does the same in less time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of the machine: `CHROME_PATH`, else the first one on the path. */
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
      // Not this one.
    }
  }
  throw new Error(
    `No browser was found: install the package chromium (any of ${names.join(', ')} will do), or set CHROME_PATH`,
  );
}

/** How the browser is started: alone, quiet, and as root too. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

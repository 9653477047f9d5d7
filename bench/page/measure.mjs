// Loads the home page as a slow phone sees it and prints its sizes, times and scores:
//
//   node measure.mjs [--runs 5] [--url http://…/moscow]
//
// Without an address it starts ../../bin/servery on a folder of its own. The phone has a
// processor four times slower, 1.6 Mbit/s and 150 ms, throttled for real (not simulated
// from a fast load). Figures are those of the median run by largest contentful paint.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, url: { type: 'string' } },
});

const phone = {
  formFactor: 'mobile',
  screenEmulation: { mobile: true, width: 390, height: 844, deviceScaleFactor: 2, disabled: false },
  throttlingMethod: 'devtools',
  throttling: {
    requestLatencyMs: 150,
    downloadThroughputKbps: 1600,
    uploadThroughputKbps: 750,
    cpuSlowdownMultiplier: 4,
  },
  onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
};

/** Returns the path of Chromium: CHROME_PATH, or a browser on the PATH. It throws when there is none. */
function findChromium() {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chromium-headless-shell']) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // Not this one.
    }
  }
  throw new Error('No browser was found: install the package chromium, or set CHROME_PATH');
}

/** Returns a port that no program listens on. */
async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/**
 * Starts the program on a new folder and waits for its home page, up to a minute. The page is then made, as for
 * every customer but the first. Returns its address, and a function that ends the program and removes the folder.
 */
async function startProgram() {
  const folder = await mkdtemp(join(tmpdir(), 'servery-page-'));
  const port = await findFreePort();
  const base = `http://localhost:${port}`;
  const binary = process.env.SERVERY_BIN ?? '../../bin/servery';
  const child = spawn(resolve(import.meta.dirname, binary), ['serve'], {
    // Search engines are welcome where the public address is known.
    env: { ...process.env, DATABASE_URL: '', SERVERY_ADDR: `:${port}`, SERVERY_DATA: folder, SERVERY_PUBLIC_URL: base },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true });
  };
  const url = `${base}/moscow`;
  for (let tries = 0; tries < 300 && child.exitCode === null; tries += 1) {
    try {
      if ((await fetch(url)).ok) return { url, stop };
    } catch {
      // The program does not listen yet.
    }
    await pause(200);
  }
  await stop();
  throw new Error('the program did not start');
}

/**
 * Loads the address in a new browser, and once more as a second visit. Returns the figures of the first by name, with the
 * largest contentful paint of the second, and the audits below 90 as `faults`.
 */
async function measure(url) {
  const chrome = await launch({
    chromePath: findChromium(),
    chromeFlags: [
      '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
    ],
  });
  try {
    const result = await lighthouse(url, { port: chrome.port, output: 'json', logLevel: 'error' }, { extends: 'lighthouse:default', settings: phone });
    const { audits, categories, environment, runtimeError } = result.lhr;
    if (runtimeError) throw new Error(runtimeError.message);
    const again = { ...phone, onlyCategories: ['performance'], disableStorageReset: true };
    const { lhr: second } = await lighthouse(url, { port: chrome.port, output: 'json', logLevel: 'error' }, { extends: 'lighthouse:default', settings: again });
    if (second.runtimeError) throw new Error(second.runtimeError.message);
    const requests = audits['network-requests'].details.items;
    const kilobytes = (type) =>
      requests.filter((r) => !type || r.resourceType === type).reduce((sum, r) => sum + r.transferSize, 0) / 1024;
    const time = (name) => audits[name].numericValue;
    return {
      'LCP, ms': time('largest-contentful-paint'),
      'FCP, ms': time('first-contentful-paint'),
      'TBT, ms': time('total-blocking-time'),
      CLS: time('cumulative-layout-shift'),
      'Speed Index, ms': time('speed-index'),
      'script, KB': kilobytes('Script'),
      'CSS, KB': kilobytes('Stylesheet'),
      'document, KB': kilobytes('Document'),
      'fonts, KB': kilobytes('Font'),
      'pictures, KB': kilobytes('Image'),
      'all, KB': kilobytes(),
      requests: requests.length,
      'second visit, ms': second.audits['largest-contentful-paint'].numericValue,
      'benchmark index': environment.benchmarkIndex,
      ...Object.fromEntries(Object.values(categories).map((c) => [c.title, c.score * 100])),
      faults: Object.values(categories).flatMap((c) =>
        c.auditRefs
          .filter((ref) => ref.weight > 0 && ref.group !== 'metrics' && audits[ref.id].score !== null && audits[ref.id].score < 0.9)
          .map((ref) => `${c.title}: ${audits[ref.id].title}`),
      ),
    };
  } finally {
    await chrome.kill();
  }
}

const program = options.url ? { url: options.url, stop: async () => {} } : await startProgram();
try {
  const runs = [];
  for (let i = 0; i < Number(options.runs); i += 1) {
    runs.push(await measure(program.url));
    process.stderr.write(`run ${i + 1}: LCP ${Math.round(runs[i]['LCP, ms'])} ms\n`);
  }
  runs.sort((a, b) => a['LCP, ms'] - b['LCP, ms']);
  const { faults, ...figures } = runs[Math.floor(runs.length / 2)];
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`${name.padEnd(18)} ${name === 'CLS' ? value.toFixed(3) : Math.round(value)}\n`);
  }
  for (const fault of faults) process.stdout.write(`below 90: ${fault}\n`);
} finally {
  await program.stop();
}

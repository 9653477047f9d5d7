import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium, unoptimized } from './harness/chromium.ts';

const isOnPostgres = Boolean(process.env.DATABASE_URL);
const isMeasured = process.env.SERVERY_MEASURE === '1';

/** The journeys that a run leaves out, with the reasons. */
const reasons = {
  ...(!process.env.SERVERY_NEXT_RELEASE && {
    'upgrade.spec.ts': 'SERVERY_NEXT_RELEASE names no program of another release; "make upgrade" builds one',
  }),
  ...(!process.env.SERVERY_BROWSER && {
    'other-browsers.spec.ts': 'SERVERY_BROWSER names no browser; "make firefox" and "make webkit" do',
  }),
  ...(!isMeasured && {
    'feel.spec.ts': 'times are measured on a machine that does nothing else, by "make feel"',
  }),
};
const leftOut = Object.keys(reasons);

/**
 * The journeys in which visitors take something at the same time, or deadlines pass: where the engines differ most.
 * Go tests run every statement on both.
 */
const onPostgres = ['gifts', 'order', 'paying', 'paying-late', 'promocode', 'upgrade'].map(
  (name) => `${name}.spec.ts`,
);

if (isOnPostgres && process.env.TEST_WORKER_INDEX === undefined) {
  process.stdout.write(
    `On PostgreSQL: ${onPostgres.join(', ')}, without the scan of screens, paying by card alone; all journeys, with the scan, walk on SQLite.\n`,
  );
}

if (process.env.TEST_WORKER_INDEX === undefined) {
  for (const [name, reason] of Object.entries(reasons)) {
    process.stdout.write(`Left out: ${name}, for ${reason}.\n`);
  }
}

/** How many milliseconds a journey waits for a condition; longer on the slow network of `make slow-network`. */
const patience = process.env.SERVERY_SLOW_NETWORK ? 60_000 : 10_000;

/**
 * The journeys run against the real program, which every worker starts for itself:
 * on SQLite, or on a fresh database of the server that DATABASE_URL names.
 */
export default defineConfig({
  testDir: 'journeys',
  testMatch: isOnPostgres ? onPostgres : '*.spec.ts',
  testIgnore: leftOut,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Journeys wait for deadlines and for the server more than they work.
  workers: 3,
  // A journey that fails now and then is a finding: it is never walked again to pass.
  retries: 0,
  timeout: 60_000,
  expect: { timeout: patience },
  // What failed is printed last, where it is read first.
  reporter: [
    ['./harness/times.ts'],
    ['list'],
    ...(process.env.SERVERY_COVERAGE ? [['./harness/coverage.ts'] as const] : []),
    ['./harness/failures.ts'],
  ],
  use: {
    // Loading and hydrating take longest while other workers need the processors too.
    actionTimeout: Math.max(patience, 20_000),
    navigationTimeout: Math.max(patience, 20_000),
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    // The calls of a page are watched at the network; journeys about the worker let it in.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: findChromium(),
      args: isMeasured ? chromiumArgs : [...chromiumArgs, unoptimized],
    },
  },
});

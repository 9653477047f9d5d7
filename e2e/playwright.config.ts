import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium } from './harness/chromium.ts';

const isOnPostgres = Boolean(process.env.DATABASE_URL);

if (isOnPostgres && process.env.TEST_WORKER_INDEX === undefined) {
  process.stdout.write(
    'The run on SQLite scans the screens by axe and for what stands out of a narrow window, and walks what concerns the browser alone (home, modals); this one does not.\n',
  );
}

/**
 * The journeys run against the real program, which every worker starts for itself:
 * on SQLite, or on a fresh database of the server that DATABASE_URL names.
 */
export default defineConfig({
  testDir: 'journeys',
  testIgnore: isOnPostgres ? ['home.spec.ts', 'modals.spec.ts'] : [],
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  // A busy machine may be late once; the report calls what needed it flaky.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    actionTimeout: 10_000,
    navigationTimeout: 20_000,
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: findChromium(), args: chromiumArgs },
  },
});

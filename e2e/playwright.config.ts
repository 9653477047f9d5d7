import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium } from './harness/chromium.ts';

if (process.env.DATABASE_URL && process.env.TEST_WORKER_INDEX === undefined) {
  process.stdout.write('Screens are not scanned by axe in this run: the run on SQLite does that.\n');
}

/**
 * The journeys run against the real program, which every worker starts for itself:
 * on SQLite, or on a fresh database of the server that DATABASE_URL names.
 */
export default defineConfig({
  testDir: 'journeys',
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

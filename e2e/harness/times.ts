import { basename } from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** Prints the total time of the journeys of each file at the end of a run. */
export default class Times implements Reporter {
  private readonly files = new Map<string, { tests: number; milliseconds: number }>();

  onTestEnd(test: TestCase, result: TestResult): void {
    const file = basename(test.location.file);
    const sum = this.files.get(file) ?? { tests: 0, milliseconds: 0 };
    sum.tests += 1;
    sum.milliseconds += result.duration;
    this.files.set(file, sum);
  }

  onEnd(): void {
    const slowestFirst = [...this.files].sort(([, a], [, b]) => b.milliseconds - a.milliseconds);
    process.stdout.write('\nSeconds of journeys, all workers together:\n');
    for (const [file, { tests, milliseconds }] of slowestFirst) {
      const seconds = (milliseconds / 1000).toFixed(0).padStart(5);
      process.stdout.write(`${seconds} s  ${file} (${tests})\n`);
    }
  }
}

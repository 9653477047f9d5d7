import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** How many lines are printed for each failed journey: the first of its errors, and the last of its page. */
const errorLines = 14;
const pageLines = 20;

/** Matches the lines of a page's snapshot with what the customer could press, and what the page said to them. */
const shownToCustomer = /\b(alert|alertdialog|button|dialog|status)\b/;

/**
 * Prints what went wrong in each failed journey once more, in few lines and last of all: the whole report is long, and
 * often only its end is kept.
 */
export default class Failures implements Reporter {
  private readonly failed: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus) return;
    const errors = result.errors.flatMap(({ message = '' }) => firstLines(stripVTControlCharacters(message), errorLines));
    this.failed.push([test.titlePath().slice(2).join(' › '), ...errors, ...pageOf(result)].join('\n    '));
  }

  onEnd(): void {
    for (const failure of this.failed) process.stdout.write(`\nFailed: ${failure}\n`);
  }
}

/** Returns what the page showed when the journey failed, in few lines. */
function pageOf({ attachments }: TestResult): string[] {
  const path = attachments.find(({ name }) => name === 'error-context')?.path;
  if (!path) return [];
  // The file has the error before the snapshot, and the source of the test behind it.
  const [, snapshot] = /```yaml\n([^]*?)\n```/.exec(readFileSync(path, 'utf8')) ?? [];
  if (!snapshot) return ['The page then: no snapshot'];
  const shown = snapshot.split('\n').filter((line) => shownToCustomer.test(line));
  return ['The page then:', ...shown.slice(-pageLines)];
}

const firstLines = (text: string, count: number) => text.split('\n').slice(0, count);

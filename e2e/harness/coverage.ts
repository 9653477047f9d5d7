import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { modals, routes } from './visits.ts';

/**
 * A row of docs/coverage.md for a page, a modal, a call or an answer, with the journeys that must show or make
 * it.
 */
interface Row {
  name: string;
  journeys: string[];
  /** Whether a test of the page or of the server shows it, which no journey repeats. */
  hasOtherTest: boolean;
}

/** Reads the rows of docs/coverage.md. */
function readRows(): Row[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/coverage.md'), 'utf8');
  return [...text.matchAll(/^\| (route|modal|call|answer) `([^`]+)`[^|]*\|.*\| ([^|]+) \|$/gm)].map(([, kind, name, tests]) => ({
    name: `${kind} ${name}`,
    journeys: [...(tests ?? '').matchAll(/`(?:e2e\/journeys\/)?([\w-]+\.spec\.ts)`/g)].map(([, journey]) => journey ?? ''),
    hasOtherTest: /\.test\.tsx?`|_test\.go: /.test(tests ?? ''),
  }));
}

/**
 * Compares docs/coverage.md with the code and a whole run, and fails the run when they differ. Every page and
 * modal of the code must have a row, and every journey that a row names must have shown or made the thing of the
 * row. It is used only with SERVERY_COVERAGE, because a run of some journeys shows only some pages.
 */
export default class Coverage implements Reporter {
  private readonly seen = new Map<string, Set<string>>();

  onTestEnd(test: TestCase, result: TestResult): void {
    for (const { type, description } of result.annotations) {
      if (type !== 'visited' || !description) continue;
      const journeys = this.seen.get(description) ?? new Set();
      this.seen.set(description, journeys.add(basename(test.location.file)));
    }
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] }> {
    const rows = readRows();
    const faults = [...routes.map((name) => `route ${name}`), ...modals.map((name) => `modal ${name}`)]
      .filter((name) => !rows.some((row) => row.name === name))
      .map((name) => `${name} has no row; seen by ${this.journeysOf(name).join(', ') || 'no journey'}`);
    for (const { name, journeys, hasOtherTest } of rows) {
      if (journeys.length === 0 && !hasOtherTest) faults.push(`${name} names no test`);
      const known = this.journeysOf(name);
      for (const journey of journeys.filter((each) => !known.includes(each))) {
        faults.push(`${name} was not shown by ${journey}; seen by ${known.join(', ') || 'no journey'}`);
      }
    }
    if (faults.length === 0) return { status: result.status };
    process.stdout.write(`\ndocs/coverage.md does not hold:\n  ${faults.join('\n  ')}\n`);
    return { status: 'failed' };
  }

  /** Returns the journeys in which the thing of a row was seen. A `{name}` in a call's path matches any value. */
  private journeysOf(name: string): string[] {
    const pattern = new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    const seen = name.startsWith('call ')
      ? [...this.seen].filter(([each]) => pattern.test(each)).flatMap(([, journeys]) => [...journeys])
      : [...(this.seen.get(name) ?? [])];
    return [...new Set(seen)].sort();
  }
}

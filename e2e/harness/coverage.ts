import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { modals, routes } from './visits.ts';

/** A row of a page, a modal, a call or an answer in docs/coverage.md: what is shown or made, and the journeys that do. */
interface Row {
  name: string;
  journeys: string[];
  /** Whether a test of the page or of the server shows it, which no journey repeats. */
  hasOtherTest: boolean;
}

function readRows(): Row[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/coverage.md'), 'utf8');
  return [...text.matchAll(/^\| (route|modal|call|answer) `([^`]+)`[^|]*\|.*\| ([^|]+) \|$/gm)].map(([, kind, name, tests]) => ({
    name: `${kind} ${name}`,
    journeys: [...(tests ?? '').matchAll(/`(?:e2e\/journeys\/)?([\w-]+\.spec\.ts)`/g)].map(([, journey]) => journey ?? ''),
    hasOtherTest: /\.test\.tsx?`|_test\.go: /.test(tests ?? ''),
  }));
}

/**
 * Holds docs/coverage.md against the code and a whole run: every page and modal of the code has its
 * row, and every journey that a row of a page, a modal, a call or a refusal names has shown or made it. It fails the run otherwise. It is used
 * with SERVERY_COVERAGE alone, because a part of the journeys shows a part of the pages.
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

  /** Returns the journeys in which something was seen, a call with any values in its path. */
  private journeysOf(name: string): string[] {
    const pattern = new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    const seen = name.startsWith('call ')
      ? [...this.seen].filter(([each]) => pattern.test(each)).flatMap(([, journeys]) => [...journeys])
      : [...(this.seen.get(name) ?? [])];
    return [...new Set(seen)].sort();
  }
}

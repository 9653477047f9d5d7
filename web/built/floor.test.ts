import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Newer } from '../scripts/floor/findings';
import { floor } from '../scripts/floor/floor';
import { newerInScript } from '../scripts/floor/newer-scripts';
import { newerInStyles } from '../scripts/floor/newer-styles';
import { ownMembers, parseScript } from '../scripts/floor/syntax-tree';
import { allowedInScripts, allowedInStyles } from './allowed';

/** Returns the texts of the built files with an ending, by their names. */
function builtFiles(ending: string): Map<string, string> {
  const folder = 'dist/assets';
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return new Map(names.map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]));
}

/** Expects a reason for each finding, and a finding for each reason, so that no reason is out of date. */
function expectAllowed(findings: (Newer & { file: string })[], reasons: Record<string, string>) {
  const keyOf = ({ feature }: Newer) => feature.replace(/: .*/, '');
  expect(findings.filter((newer) => !(keyOf(newer) in reasons))).toEqual([]);
  const used = new Set(findings.map(keyOf));
  expect(Object.keys(reasons).filter((key) => !used.has(key))).toEqual([]);
}

it('no built script uses what a browser of the floor lacks, but what is allowed', () => {
  const scripts = [...builtFiles('.js')].map(([file, code]) => ({
    file,
    script: parseScript(code),
  }));
  const own = new Set(scripts.flatMap(({ script }) => [...ownMembers(script)]));
  const findings = scripts.flatMap(({ file, script }) =>
    newerInScript(script, own).map((newer) => ({ ...newer, file })),
  );
  expectAllowed(findings, allowedInScripts);
});

it('no built style uses what a browser of the floor lacks, but what is allowed', () => {
  const findings = [...builtFiles('.css')].flatMap(([file, css]) =>
    newerInStyles(css).map((newer) => ({ ...newer, file })),
  );
  expectAllowed(findings, allowedInStyles);
});

it('the README names the floor', () => {
  const readme = readFileSync('../README.md', 'utf8').replace(/\s+/g, ' ');
  expect(readme).toContain(
    `Safari ${floor.safari}, Chrome ${floor.chrome}, Samsung Internet ${floor.samsunginternet_android} and Firefox ${floor.firefox}`,
  );
});

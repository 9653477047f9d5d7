import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files';

const components = sourceFiles((path) => /\.tsx?$/.test(path) && !/\.test\.|schema\.d/.test(path));

/** Returns the lines that break a rule, unless they or the line above have `token-rule:` with a reason. */
function offences(rule: RegExp): string[] {
  return components.flatMap(({ path, text }) => {
    const lines = text.split('\n');
    return lines.flatMap((line, at) => {
      const excused = `${lines[at - 1] ?? ''}${line}`.includes('token-rule:');
      return rule.test(line) && !excused ? [`${path}:${at + 1} ${line.trim()}`] : [];
    });
  });
}

describe('tokens', () => {
  it('are the only colours', () => {
    const colour =
      /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|(?:rgb|hsl|oklch|oklab|lab|lch|color)a?\(\s*\d/i;
    expect(offences(colour)).toEqual([]);
  });

  it('leave no inline style, which the content security policy refuses in the rendered document', () => {
    expect(offences(/\bstyle=\{/)).toEqual([]);
  });

  it('reach Tailwind by name only', () => {
    const palette =
      /\b(?:bg|text|border|fill|stroke|outline|ring)-(?:black|white|(?:gray|slate|zinc|red|orange|amber|yellow|green|blue|indigo|purple|pink|stone|neutral)-\d)/;
    expect(offences(palette)).toEqual([]);
  });
});

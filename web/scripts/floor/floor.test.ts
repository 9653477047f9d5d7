import { describe, expect, it } from 'vitest';
import { newerInScript } from './newer-scripts';
import { newerInStyles } from './newer-styles';
import { ownMembers, parseScript } from './syntax-tree';

const inScript = (code: string) => newerInScript(parseScript(code)).map(({ feature }) => feature);
const inStyles = (css: string) => newerInStyles(css).map(({ feature }) => feature);

describe('what scripts may not use below the floor', () => {
  it.each([
    ['a static', 'const ok = URL.canParse(name)', 'URL.canParse'],
    ['a static of the language', 'Object.groupBy(list, of)', 'Object.groupBy'],
    ['a member that only newer things have', 'list.toSorted().at(0)', '.toSorted'],
    ['something that is reached through', 'navigator.userActivation.isActive', '.userActivation'],
    ['a global', 'new CompressionStream("gzip")', 'CompressionStream'],
    ['a block of a class', 'class A { static { run() } }', 'StaticBlock'],
    ['a range in a media query', 'matchMedia("(width < 1024px)")', 'range in a media query'],
    [
      'a look behind',
      'text.replace(/(?<=a)b/, "")',
      'javascript.regular_expressions.lookbehind_assertion',
    ],
  ])('%s', (_, code, feature) => {
    expect(inScript(code)).toEqual([feature]);
  });

  it.each([
    ['what the floor has', 'list.at(-1); Object.hasOwn(a, b); class A { #x = 1; #y() {} }'],
    ['what is asked for first', 'element.checkVisibility?.()'],
    ['what is only asked for', 'typeof CompressionStream'],
    ['a name of one’s own', 'function scheduler() {} scheduler()'],
    ['a media query by bounds', 'matchMedia("(max-width: 1023.98px)")'],
  ])('but %s', (_, code) => {
    expect(inScript(code)).toEqual([]);
  });

  it('but members of one’s own that have the name of a newer one', () => {
    const script = parseScript('const dialog = { showPopover() {} }; dialog.showPopover()');
    expect(newerInScript(script, ownMembers(script))).toEqual([]);
  });
});

describe('what styles may not use below the floor without a fallback', () => {
  it.each([
    ['a unit', 'a { height: 100dvh }', 'unit dvh'],
    ['a unit in a variable', 'a { --full: 1px; --full: 100dvh }', 'unit dvh'],
    ['a function', 'a { color: light-dark(red, blue) }', 'light-dark()'],
    ['a property', 'a { translate: 1px }', 'translate'],
    ['a keyword', 'a { text-align: match-parent }', 'text-align: match-parent'],
    ['a selector', 'a:has(b) { color: red }', ':has'],
    ['an at-rule', '@container (min-width: 1px) { a { rotate: 1deg } }', '@container'],
    ['a range', '@media (width < 10px) { a { color: red } }', 'range in @media'],
    ['nesting', 'a { & b { color: red } }', 'nesting'],
  ])('%s', (_, css, feature) => {
    expect(inStyles(css)).toEqual([feature]);
  });

  it.each([
    ['with one before it', 'a { height: 100vh; height: 100dvh }'],
    ['with a prefix before it', 'a { -webkit-user-select: none; user-select: none }'],
    ['where support is asked for', '@supports (height: 1dvh) { a { height: 1dvh } }'],
    ['in a list that forgives', ':is(:where(.a):is([open], :popover-open) .b) { color: red }'],
    ['what is written for one engine', 'a::-webkit-scrollbar { -webkit-user-drag: none }'],
  ])('but %s', (_, css) => {
    expect(inStyles(css)).toEqual([]);
  });
});

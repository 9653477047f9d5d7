import postcss, { type AtRule, type ChildNode, type Declaration, type Rule } from 'postcss';
import { findEntry, lackingBrowser, namesBelow } from './compat';
import { Findings, type Newer } from './findings';

/** Reports whether a media query compares by signs, as in `(width < 64rem)`. */
export const hasRange = (query: string): boolean =>
  /\(\s*(?:[\d.]+[a-z]*\s*[<>]=?\s*)?(?:width|height|aspect-ratio|resolution)\s*[<>]/.test(query);

/** The entry of ranges in media queries. */
export const rangePath = ['css', 'at-rules', 'media', 'range_syntax'];

/**
 * Returns what a stylesheet uses that some browser of the floor lacks and that has no fallback: a
 * declaration of the same property before it in the rule, or `@supports` around it. The
 * contents of an at-rule that is lacked are not reported; the at-rule is, once. Names with a prefix
 * are written for one engine and not checked.
 */
export function newerInStyles(css: string): Newer[] {
  const findings = new Findings();
  postcss.parse(css).walk((node) => {
    if (isExcused(node)) return;
    if (node.type === 'atrule') checkAtRule(node, findings);
    if (node.type === 'rule') checkSelector(node, findings);
    if (node.type === 'decl' && !isPrefixed(node.prop)) checkDeclaration(node, findings);
  });
  return findings.all();
}

const isPrefixed = (name: string) => /^-(webkit|moz|ms|o)-/.test(name);

function checkAtRule({ name, params }: AtRule, findings: Findings) {
  findings.check(`@${name}`, ['css', 'at-rules', name]);
  if (name !== 'media') return;
  if (hasRange(params)) findings.check('range in @media', rangePath);
  for (const feature of mediaFeatures(params)) {
    findings.check(`@media (${feature})`, ['css', 'at-rules', 'media', feature]);
  }
}

const mediaFeatures = (params: string) =>
  [...params.matchAll(/\((?:min-|max-)?([a-z-]+)/g)].map(([, feature = '']) => feature);

/**
 * Adds the pseudo-classes and elements of a selector that the floor lacks, but for those inside
 * `:is()` and `:where()`: an unknown one invalidates nothing else there.
 */
function checkSelector({ selector }: Rule, findings: Findings) {
  const strict = withoutForgivingLists(selector);
  for (const [, name = ''] of strict.matchAll(/(?<!\\)::?([a-z-]+)/g)) {
    if (!isPrefixed(name)) findings.check(`:${name}`, ['css', 'selectors', name]);
  }
  if (/(?<!\\)&/.test(strict)) findings.check('nesting', ['css', 'selectors', 'nesting']);
}

function withoutForgivingLists(selector: string): string {
  const simpler = selector.replace(/:(?:is|where)\([^()]*\)/g, '').replace(/\(([^()]*)\)/g, '[$1]');
  return simpler === selector ? selector : withoutForgivingLists(simpler);
}

function checkDeclaration(declaration: Declaration, findings: Findings) {
  const { prop, value } = declaration;
  if (hasFallback(declaration) || findings.check(prop, ['css', 'properties', prop])) return;
  const words = value.replace(/"[^"]*"|url\([^)]*\)/g, '');
  const isVariable = prop.startsWith('--');
  for (const [word] of isVariable ? [] : words.matchAll(/(?<![\w-])[a-z][a-z-]*(?![\w(-])/g)) {
    findings.check(`${prop}: ${word}`, ['css', 'properties', prop, word]);
  }
  for (const [, name = ''] of words.matchAll(/(?<![\w-])([a-z][a-z-]*)\(/g)) {
    for (const path of functionPaths(name)) findings.check(`${name}()`, path);
  }
  for (const [, unit = ''] of words.matchAll(/\d([a-z]+)\b/g)) {
    findings.check(`unit ${unit}`, ['css', 'types', 'length', unitName(unit)]);
  }
}

/** Reports whether the same property, with or without a prefix, stands before the declaration in its rule. */
function hasFallback(declaration: Declaration): boolean {
  const { prop, parent } = declaration;
  // A variable keeps a value that nothing can read: the declaration before it is lost.
  if (prop.startsWith('--')) return false;
  const before = parent?.nodes.slice(0, parent.index(declaration)) ?? [];
  return before.some(
    (other) => other.type === 'decl' && other.prop.replace(/^-[a-z]+-/, '') === prop,
  );
}

const dynamicUnits = { d: 'dynamic', s: 'small', l: 'large' } as const;

/** Returns the name of a unit in the data, where the units of the screen and of containers share an entry each. */
function unitName(unit: string): string {
  if (/^cq(w|h|i|b|min|max)$/.test(unit)) return 'container_query_length_units';
  if (!/^[dsl]v(w|h|i|b|min|max)$/.test(unit)) return unit;
  return `viewport_percentage_units_${dynamicUnits[unit[0] as keyof typeof dynamicUnits]}`;
}

/** Returns the paths of a function's entry: below `css.types`, or below the type that it makes. */
function functionPaths(name: string): string[][] {
  const types = ['css', 'types'];
  const below = namesBelow(findEntry(...types)).map((type) => [...types, type, name]);
  return [[...types, name], ...below];
}

/** Reports whether a node is inside `@supports`, or inside an at-rule that the floor lacks as a whole. */
function isExcused(node: ChildNode): boolean {
  for (let above: unknown = node.parent; above; above = (above as ChildNode).parent) {
    const { type, name, params } = above as AtRule;
    if (type !== 'atrule') continue;
    if (name === 'supports' || lackingBrowser(findEntry('css', 'at-rules', name))) return true;
    if (name !== 'media') continue;
    const isLacked = (feature: string) =>
      lackingBrowser(findEntry('css', 'at-rules', 'media', feature));
    if (hasRange(params) || mediaFeatures(params).some(isLacked)) return true;
  }
  return false;
}

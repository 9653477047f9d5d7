import postcss, { type AtRule, type ChildNode, type Declaration, type Rule } from 'postcss';
import { findEntry, lackingBrowser, namesBelow } from './compat';
import { Findings, type Newer } from './findings';

/** Reports whether a media query compares by signs, as in `(width < 64rem)`. */
export const hasRange = (query: string): boolean =>
  /\(\s*(?:[\d.]+[a-z]*\s*[<>]=?\s*)?(?:width|height|aspect-ratio|resolution)\s*[<>]/.test(query);

/** The path of the entry for ranges in media queries. */
export const rangePath = ['css', 'at-rules', 'media', 'range_syntax'];

/**
 * Returns the features of a stylesheet that a browser of the floor lacks and that have no fallback. A fallback
 * is an earlier declaration of the same property in the rule, or `@supports` around the use. An at-rule that a
 * browser lacks is reported without its contents. Names with a prefix are for one engine and not checked.
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

/** Reports whether a name has the prefix of an engine. */
const isPrefixed = (name: string) => /^-(webkit|moz|ms|o)-/.test(name);

/** Adds an at-rule, or the features in its media query, that the floor lacks. */
function checkAtRule({ name, params }: AtRule, findings: Findings) {
  findings.check(`@${name}`, ['css', 'at-rules', name]);
  if (name !== 'media') return;
  if (hasRange(params)) findings.check('range in @media', rangePath);
  for (const feature of mediaFeatures(params)) {
    findings.check(`@media (${feature})`, ['css', 'at-rules', 'media', feature]);
  }
}

/** Returns the names of the features in a media query. */
const mediaFeatures = (params: string) =>
  [...params.matchAll(/\((?:min-|max-)?([a-z-]+)/g)].map(([, feature = '']) => feature);

/**
 * Adds the pseudo-classes and pseudo-elements of a selector that the floor lacks. It leaves out those inside
 * `:is()` and `:where()`, where an unknown selector does not invalidate the others.
 */
function checkSelector({ selector }: Rule, findings: Findings) {
  const strict = withoutForgivingLists(selector);
  for (const [, name = ''] of strict.matchAll(/(?<!\\)::?([a-z-]+)/g)) {
    if (!isPrefixed(name)) findings.check(`:${name}`, ['css', 'selectors', name]);
  }
  if (/(?<!\\)&/.test(strict)) findings.check('nesting', ['css', 'selectors', 'nesting']);
}

/** Returns a selector without the lists of `:is()` and `:where()`. */
function withoutForgivingLists(selector: string): string {
  const simpler = selector.replace(/:(?:is|where)\([^()]*\)/g, '').replace(/\(([^()]*)\)/g, '[$1]');
  return simpler === selector ? selector : withoutForgivingLists(simpler);
}

/**
 * Adds the property, the values, units and functions of a declaration that the floor lacks, unless it has a
 * fallback.
 */
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
  // A variable accepts any value, so an unknown value replaces the declaration before it.
  if (prop.startsWith('--')) return false;
  const before = parent?.nodes.slice(0, parent.index(declaration)) ?? [];
  return before.some(
    (other) => other.type === 'decl' && other.prop.replace(/^-[a-z]+-/, '') === prop,
  );
}

const dynamicUnits = { d: 'dynamic', s: 'small', l: 'large' } as const;

/**
 * Returns the name of a unit in the data, which has one entry for the units of the viewport and one for
 * containers.
 */
function unitName(unit: string): string {
  if (/^cq(w|h|i|b|min|max)$/.test(unit)) return 'container_query_length_units';
  if (!/^[dsl]v(w|h|i|b|min|max)$/.test(unit)) return unit;
  return `viewport_percentage_units_${dynamicUnits[unit[0] as keyof typeof dynamicUnits]}`;
}

/** Returns the possible paths of a function's entry: below `css.types`, or below the type of its value. */
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

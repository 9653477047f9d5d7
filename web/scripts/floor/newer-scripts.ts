import { findEntry, lackingBrowser, namesBelow } from './compat';
import { Findings, type Newer } from './findings';
import { hasRange, rangePath } from './newer-styles';
import { declaredNames, isNode, type Node, type Script, walk } from './syntax-tree';

/** Newer syntax, by the type of its node. The build rewrites most newer syntax, so only this is left to find. */
const syntax: Record<string, readonly string[]> = {
  StaticBlock: ['javascript', 'classes', 'static', 'initialization_blocks'],
  ImportAttribute: ['javascript', 'statements', 'import', 'import_attributes'],
};

/** Newer parts of regular expressions, which no build rewrites. */
const patterns: [RegExp, readonly string[]][] = [
  [/\(\?<[=!]/, ['javascript', 'regular_expressions', 'lookbehind_assertion']],
  [/\(\?[ims]*-?[ims]+:/, ['javascript', 'regular_expressions', 'modifier']],
];

/**
 * Returns the features in a script that a browser of the floor lacks: syntax, globals, media queries with a
 * range, and members that the script calls or reads through and whose name only newer objects have. An optional
 * call (`x.name?.()`) and `typeof` do not count as use; other tests around a use are not recognized.
 * `ownMembers` are names of members that the scripts define themselves.
 */
export function newerInScript(
  { program }: Script,
  ownMembers: ReadonlySet<string> = new Set(),
): Newer[] {
  const findings = new Findings();
  const declared = declaredNames(program);
  walk(program, (node, parent) => {
    const path = syntax[node.type];
    if (path) findings.check(node.type, path);
    if (node.type === 'Literal') checkLiteral(node, findings);
    if (node.type === 'TemplateElement') checkText((node.value as { raw: string }).raw, findings);
    if (node.type === 'Identifier' && isRead(node, parent)) {
      const name = node.name as string;
      if (!declared.has(name)) findings.add(name, lackingGlobal(name));
    }
    if (node.type === 'MemberExpression' && isNeeded(node, parent)) {
      checkMember(node, ownMembers, findings);
    }
  });
  return findings.all();
}

/** Adds the features of a regular expression or of a text that the floor lacks. */
function checkLiteral({ value, regex }: Node, findings: Findings) {
  if (regex) {
    const { pattern, flags } = regex as { pattern: string; flags: string };
    checkText(pattern, findings);
    if (flags.includes('v')) {
      findings.check('flag v', ['javascript', 'builtins', 'RegExp', 'unicodeSets']);
    }
  } else if (typeof value === 'string') checkText(value, findings);
}

/** Adds the features that the floor lacks in a text that is a media query or the source of a regular expression. */
function checkText(text: string, findings: Findings) {
  if (hasRange(text)) findings.check('range in a media query', rangePath);
  for (const [part, path] of patterns) if (part.test(text)) findings.check(path.join('.'), path);
}

const builtins = ['javascript', 'builtins'];
const globals = [builtins, ['api'], ['api', 'Window']];

/** Returns the browser of the floor that lacks a global. */
const lackingGlobal = (name: string) =>
  globals.map((path) => lackingBrowser(findEntry(...path, name))).find(Boolean);

/** Adds a member that the floor lacks. A static member is looked up at its owner, any other by its name alone. */
function checkMember(
  { object, property }: Node,
  ownMembers: ReadonlySet<string>,
  findings: Findings,
) {
  const name = (property as Node).name as string;
  const owner = isNode(object) && object.type === 'Identifier' ? (object.name as string) : '';
  if (findEntry(...builtins, owner)) {
    findings.check(`${owner}.${name}`, [...builtins, owner, name]);
  } else if (findEntry('api', owner)) {
    findings.check(`${owner}.${name}`, ['api', owner, `${name}_static`]);
  } else {
    findings.add(`.${name}`, lackingMember(name, ownMembers.has(name)));
  }
}

/**
 * Returns the browser that lacks a member, when every object with a member of that name is newer than the floor.
 * For a name that the scripts define themselves it checks the objects of the language only.
 */
function lackingMember(name: string, isOwn: boolean): string | undefined {
  const ofLanguage = membersIn(...builtins).get(name) ?? [];
  const ofBrowser = isOwn ? [] : (membersIn('api').get(name) ?? []);
  const lacking = [...ofLanguage, ...ofBrowser];
  return lacking.every(Boolean) ? lacking[0] : undefined;
}

const indexes = new Map<string, Map<string, (string | undefined)[]>>();

/**
 * Returns, by the name of a member, one item for each object directly below the path in browser-compat-data that
 * has such a member: the first browser of the floor that lacks it there, undefined when none does. It remembers
 * the result for the path.
 */
function membersIn(...path: string[]): Map<string, (string | undefined)[]> {
  const known = indexes.get(path.join());
  if (known) return known;
  const index = new Map<string, (string | undefined)[]>();
  for (const owner of namesBelow(findEntry(...path))) {
    for (const key of namesBelow(findEntry(...path, owner))) {
      const name = key.replace(/_(static|event)$/, '');
      const lacking = lackingBrowser(findEntry(...path, owner, key));
      index.set(name, [...(index.get(name) ?? []), lacking]);
    }
  }
  indexes.set(path.join(), index);
  return index;
}

/** Reports whether the script fails without the member: it is called, constructed, or reached through. */
function isNeeded(node: Node, parent: Node | undefined): boolean {
  if (node.computed || !parent || parent.optional) return false;
  if (parent.type === 'MemberExpression') return parent.object === node;
  const isCall = parent.type === 'CallExpression' || parent.type === 'NewExpression';
  return isCall && parent.callee === node;
}

/**
 * Reports whether an identifier is read as a value: it is neither the name of a member nor the
 * operand of `typeof`.
 */
function isRead(node: Node, parent: Node | undefined): boolean {
  if (!parent || parent.type === 'UnaryExpression') return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed === true;
  if (parent.type === 'Property') return parent.value === node;
  return parent.type === 'CallExpression' || parent.type === 'NewExpression';
}

import { parseAst } from 'vite';

/** A node of a script's syntax tree. */
export interface Node {
  type: string;
  [part: string]: unknown;
}

/** A script as it was parsed. */
export interface Script {
  program: Node;
}

export const parseScript = (code: string): Script => ({
  program: parseAst(code) as unknown as Node,
});

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Calls `visit` with a node and all nodes below it, each with its parent. */
export function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined) => void,
  parent?: Node,
): void {
  visit(node, parent);
  for (const part of Object.values(node)) {
    for (const child of Array.isArray(part) ? part : [part]) {
      if (isNode(child)) walk(child, visit, node);
    }
  }
}

/** Returns the names that a script declares anywhere, so that they are not taken for globals. */
export function declaredNames(program: Node): Set<string> {
  const names = new Set<string>();
  const declare = (pattern: unknown) => {
    if (!isNode(pattern)) return;
    walk(pattern, ({ type, name }) => {
      if (type === 'Identifier') names.add(name as string);
    });
  };
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator' || node.type === 'ClassDeclaration') declare(node.id);
    if (node.type === 'CatchClause') declare(node.param);
    if (node.type.startsWith('Import')) declare(node.local);
    if (Array.isArray(node.params)) for (const part of [node.id, ...node.params]) declare(part);
  });
  return names;
}

/** Returns the names of members that a script defines or destructures itself: keys, methods, assignments. */
export function ownMembers({ program }: Script): Set<string> {
  const names = new Set<string>();
  const add = (key: unknown) => {
    if (isNode(key) && key.type === 'Identifier') names.add(key.name as string);
  };
  walk(program, (node) => {
    const isKeyed = ['Property', 'MethodDefinition', 'PropertyDefinition'].includes(node.type);
    if (isKeyed && !node.computed) add(node.key);
    if (node.type === 'AssignmentExpression') {
      const { left } = node;
      if (isNode(left) && left.type === 'MemberExpression' && !left.computed) add(left.property);
    }
  });
  return names;
}

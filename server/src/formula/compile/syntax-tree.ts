// Helpers to walk a syntax tree.
import type {Node} from 'acorn';

export type Tree = Node & Record<string, unknown>;

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && typeof (value as Tree).type === 'string';
}

/** The direct children, in the order of the text. */
export function* childNodesOf(node: Tree): Iterable<Tree> {
  for (const field in node) {
    const value = node[field];
    if (Array.isArray(value)) {
      for (const one of value) if (isTree(one)) yield one;
    } else if (isTree(value)) yield value;
  }
}

export const functions: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

export const loops: ReadonlySet<string> = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

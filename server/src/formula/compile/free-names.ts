// Finds the names that a formula uses and does not declare, with the scope rules of JavaScript.
import {childNodesOf, functions, type Tree} from './syntax-tree.ts';

/** One use of a name that the code does not declare. */
export interface FreeName {
  name: string;
  node: Tree;
  parent: Tree | undefined;
}

class NameScope {
  readonly declared = new Set<string>();
  readonly #found = new Map<string, boolean>();
  readonly outer: NameScope | undefined;
  /** `var` belongs to the enclosing function. */
  readonly isFunction: boolean;

  constructor(outer: NameScope | undefined, isFunction: boolean) {
    this.outer = outer;
    this.isFunction = isFunction;
  }

  /** Remembers what it found at each scope on the way, so that deep nesting costs no more than its length. */
  has(name: string): boolean {
    const passed: NameScope[] = [];
    let found: boolean | undefined;
    let at: NameScope | undefined = this;
    for (; at !== undefined && found === undefined; at = at.outer) {
      found = at.declared.has(name) ? true : at.#found.get(name);
      if (found === undefined) passed.push(at);
    }
    for (const scope of passed) scope.#found.set(name, found ?? false);
    return found ?? false;
  }

  get hoist(): NameScope {
    let at: NameScope = this;
    while (!at.isFunction && at.outer !== undefined) at = at.outer;
    return at;
  }
}

export function findFreeNames(root: Tree, declared: Iterable<string> = []): FreeName[] {
  const used: (FreeName & {scope: NameScope})[] = [];
  const top = new NameScope(undefined, true);
  for (const name of declared) top.declared.add(name);
  visit(root, undefined, top, used);
  // Filter at the end: code may use a function above its declaration.
  return used.filter(({name, scope}) => !scope.has(name));
}

type NameUse = FreeName & {scope: NameScope};

function visit(node: Tree, parent: Tree | undefined, scope: NameScope, used: NameUse[]): void {
  if (node.type === 'Identifier') {
    used.push({name: node.name as string, node, parent, scope});
    return;
  }
  const inner = scopeOf(node, scope);
  for (const [child, part] of childNodesWithRole(node)) {
    if (part === 'name') continue;
    visit(child, node, part === 'outside' ? scope : inner, used);
  }
}

/** Declares the names of a node and returns the scope of its children. */
function scopeOf(node: Tree, scope: NameScope): NameScope {
  switch (node.type) {
    case 'FunctionDeclaration':
      declare(node.id as Tree | null, scope);
      return functionScope(node, scope);
    case 'FunctionExpression': {
      const own = new NameScope(scope, false);
      declare(node.id as Tree | null, own);
      return functionScope(node, own);
    }
    case 'ArrowFunctionExpression':
      return functionScope(node, scope);
    case 'ClassDeclaration':
      declare(node.id as Tree | null, scope);
      return scope;
    case 'ClassExpression': {
      const own = new NameScope(scope, false);
      declare(node.id as Tree | null, own);
      return own;
    }
    case 'VariableDeclaration': {
      const target = node.kind === 'var' ? scope.hoist : scope;
      for (const {id} of node.declarations as {id: Tree}[]) declare(id, target);
      return scope;
    }
    case 'StaticBlock':
      return new NameScope(scope, true);
    case 'CatchClause': {
      const own = new NameScope(scope, false);
      declare(node.param as Tree | null, own);
      return own;
    }
    case 'ImportDeclaration':
      for (const {local} of node.specifiers as {local: Tree}[]) declare(local, scope);
      return scope;
    case 'BlockStatement':
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'SwitchStatement':
      return new NameScope(scope, false);
    default:
      return scope;
  }
}

function functionScope(node: Tree, outer: NameScope): NameScope {
  const own = new NameScope(outer, true);
  for (const param of node.params as Tree[]) declare(param, own);
  return own;
}

function declare(pattern: Tree | null | undefined, scope: NameScope): void {
  if (pattern === null || pattern === undefined) return;
  switch (pattern.type) {
    case 'Identifier':
      scope.declared.add(pattern.name as string);
      return;
    case 'AssignmentPattern':
      declare(pattern.left as Tree, scope);
      return;
    case 'RestElement':
      declare(pattern.argument as Tree, scope);
      return;
    case 'Property':
      declare(pattern.value as Tree, scope);
      return;
    default:
      for (const child of childNodesOf(pattern)) declare(child, scope);
  }
}

/** The children of a node. `name` marks identifiers that are properties, labels or declarations. */
function* childNodesWithRole(node: Tree): Iterable<[Tree, 'name' | 'inside' | 'outside']> {
  switch (node.type) {
    case 'MemberExpression':
      yield [node.object as Tree, 'inside'];
      if (node.computed === true) yield [node.property as Tree, 'inside'];
      return;
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      if (node.computed === true) yield [node.key as Tree, 'inside'];
      if (node.value !== null) yield [node.value as Tree, 'inside'];
      return;
    case 'LabeledStatement':
      yield [node.body as Tree, 'inside'];
      return;
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
    case 'ImportDeclaration':
      return;
    case 'ExportSpecifier':
      yield [node.local as Tree, 'inside'];
      return;
    case 'ClassDeclaration':
    case 'ClassExpression':
      if (node.superClass !== null) yield [node.superClass as Tree, 'inside'];
      yield [node.body as Tree, 'inside'];
      return;
    default:
      for (const child of childNodesOf(node))
        yield [child, child === node.id && functions.has(node.type) ? 'name' : 'inside'];
  }
}

// Static analysis of a formula: where it fetches, and which paths of its input it reads.
import ts from 'typescript';
import type {FetchSite} from './protocol.ts';

/** Finds `ctx.fetch` and `ctx.fetchOne`. The first parameter may have another name than `ctx`. */
export function findFetchSites(source: ts.SourceFile, head: number): FetchSite[] {
  const context = formulaOf(source)?.parameters[0]?.name;
  if (context === undefined || !ts.isIdentifier(context)) return [];
  const sites: FetchSite[] = [];
  const visit = (node: ts.Node) => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.expression.getText(source) === context.text &&
      /^fetch(One)?$/.test(node.expression.name.text)
    ) {
      const from = node.getStart(source);
      sites.push({
        from: from - head,
        to: node.getEnd() - head,
        line: source.getLineAndCharacterOfPosition(from).line + 1,
        collection: collectionOf(node.arguments[0], source),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sites;
}

function collectionOf(named: ts.Expression | undefined, source: ts.SourceFile): string {
  if (named === undefined) return '';
  const literal = ts.isCallExpression(named) ? named.arguments[0] : undefined;
  return literal && ts.isStringLiteralLike(literal) ? literal.text : named.getText(source);
}

function formulaOf(source: ts.SourceFile): ts.ArrowFunction | ts.FunctionExpression | undefined {
  let found: ts.ArrowFunction | ts.FunctionExpression | undefined;
  const visit = (node: ts.Node) => {
    if (found) return;
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) found = node;
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Finds the paths of the input, also through a `const` that holds a part of it. */
export function findReadPaths(source: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const item = formulaOf(source)?.parameters[1]?.name;
  if (item === undefined) return [];
  const roots = new Map<ts.Symbol, string>();
  const paths = new Set<string>();
  bindPaths(item, '', checker, roots, paths);
  const visit = (node: ts.Node) => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      const path = pathOf(node.initializer, checker, roots);
      if (path !== undefined) bindPaths(node.name, path, checker, roots, paths);
    }
    const path = ts.isExpression(node) && !isPartOfPath(node) ? pathOf(node, checker, roots) : undefined;
    if (path) paths.add(path);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...paths].sort();
}

/** A destructured parameter such as `{metadata: {name}}` reads these paths. */
function bindPaths(
  name: ts.BindingName,
  path: string,
  checker: ts.TypeChecker,
  roots: Map<ts.Symbol, string>,
  paths: Set<string>,
): void {
  if (ts.isIdentifier(name)) {
    const symbol = checker.getSymbolAtLocation(name);
    if (symbol) roots.set(symbol, path);
    return;
  }
  if (!ts.isObjectBindingPattern(name)) return;
  for (const element of name.elements) {
    const property = element.propertyName ?? element.name;
    if (!ts.isIdentifier(property) || element.dotDotDotToken) continue;
    const inner = path === '' ? property.text : `${path}.${property.text}`;
    if (ts.isIdentifier(element.name)) paths.add(inner);
    bindPaths(element.name, inner, checker, roots, paths);
  }
}

/** True for a part of a longer path. */
function isPartOfPath(node: ts.Node): boolean {
  const up = node.parent;
  if (up === undefined) return false;
  if (ts.isPropertyAccessExpression(up)) return up.expression === node;
  if (ts.isElementAccessExpression(up)) return up.expression === node;
  return ts.isNonNullExpression(up) || ts.isParenthesizedExpression(up);
}

function pathOf(
  node: ts.Node,
  checker: ts.TypeChecker,
  roots: ReadonlyMap<ts.Symbol, string>,
): string | undefined {
  if (ts.isIdentifier(node)) {
    const symbol = checker.getSymbolAtLocation(node);
    return symbol === undefined ? undefined : roots.get(symbol);
  }
  if (ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node))
    return pathOf(node.expression, checker, roots);
  if (ts.isPropertyAccessExpression(node)) {
    const base = pathOf(node.expression, checker, roots);
    if (base === undefined) return undefined;
    // A method call reads the value it is called on.
    if (ts.isCallExpression(node.parent) && node.parent.expression === node) return base;
    if (node.name.text === 'length') return base;
    return base === '' ? node.name.text : `${base}.${node.name.text}`;
  }
  if (ts.isElementAccessExpression(node)) {
    const base = pathOf(node.expression, checker, roots);
    if (base === undefined) return undefined;
    const at = node.argumentExpression;
    return ts.isStringLiteralLike(at) ? `${base}[${at.text}]` : `${base}[]`;
  }
  return undefined;
}

// Instruments a source file with all its mutants, so that thousands of mutants need one load. `$m(id)` is
// true while the mutant with this id is active.
import ts from 'typescript';

export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  /** The line and its change, which identify the mutant in the list of equivalents. */
  readonly text: string;
  readonly change: string;
  /** The index among mutants of this file with the same text and change. */
  readonly nth: number;
}

/** A name that does not depend on the rest of the file. */
export function nameOf({file, text, change, nth}: Mutant): string {
  return `${file} ${nth} ${change} ${text}`;
}

interface MutationPoint {
  readonly id: number;
  readonly text: string;
}

const SWAPPED: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '-': '+',
  '*': '+',
  '&&': '||',
  '||': '&&',
  '&': '|',
  '|': '&',
};

/** `first` is the id of the first mutant. */
export function mutate(file: string, source: string, first: number): {code: string; mutants: Mutant[]} {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];

  const add = (node: ts.Node, change: string, text: string): MutationPoint => {
    const {line} = tree.getLineAndCharacterOfPosition(node.getStart());
    const whole = source.split('\n')[line]!.trim();
    const id = first + mutants.length;
    const nth = mutants.filter(other => other.text === whole && other.change === change).length;
    mutants.push({id, file, line: line + 1, text: whole, change, nth});
    return {id, text};
  };
  const raw = (node: ts.Node) => source.slice(node.getStart(), node.end);

  const inside = (node: ts.Node): string => {
    let out = '';
    let at = node.getStart();
    ts.forEachChild(node, child => {
      out += source.slice(at, child.getStart());
      out += render(child);
      at = child.end;
    });
    return out + source.slice(at, node.end);
  };
  const either = (ways: readonly MutationPoint[], otherwise: string) =>
    ways.length === 0
      ? otherwise
      : `(${ways.map(({id, text}) => `$m(${id}) ? (${text}) : `).join('')}(${otherwise}))`;

  const render = (node: ts.Node): string => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      return raw(node);
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeParameterDeclaration(node))
      return raw(node);
    if (!isRunLater(node)) return inside(node);
    if (ts.isExpressionStatement(node) && isRemovable(node.expression)) {
      const way = add(node, `without ${short(raw(node))}`, '');
      // Extra braces, so that a following else keeps its if.
      return `{ if (!$m(${way.id})) { ${inside(node)} } }`;
    }
    if (ts.isExpression(node)) return either(waysOf(node), inside(node));
    return inside(node);
  };

  const waysOf = (node: ts.Expression): MutationPoint[] => {
    const ways: MutationPoint[] = [];
    if (isCondition(node)) {
      ways.push(add(node, `${short(raw(node))} is false`, 'false'));
      if (!isLoop(node.parent)) ways.push(add(node, `${short(raw(node))} is true`, 'true'));
    } else if (ts.isReturnStatement(node.parent) && !isNothing(node)) {
      ways.push(add(node, 'returns undefined', 'undefined'));
    }
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText();
      const [left, right] = [raw(node.left), raw(node.right)];
      const other = SWAPPED[operator];
      if (other !== undefined) ways.push(add(node, `${operator} is ${other}`, `${left} ${other} ${right}`));
      if (operator === '??') ways.push(add(node, '?? has no right side', left));
      if (operator === '+' && isNumeric(node)) ways.push(add(node, '+ is -', `${left} - ${right}`));
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      ways.push(add(node, 'without !', raw(node.operand)));
    } else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      const swapped =
        node.operator === ts.SyntaxKind.PlusPlusToken
          ? '--'
          : node.operator === ts.SyntaxKind.MinusMinusToken
            ? '++'
            : undefined;
      if (swapped !== undefined) {
        const operand = raw(node.operand);
        ways.push(
          add(
            node,
            `counts with ${swapped}`,
            ts.isPrefixUnaryExpression(node) ? swapped + operand : operand + swapped,
          ),
        );
      }
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) ways.push(add(node, 'true is false', 'false'));
    else if (node.kind === ts.SyntaxKind.FalseKeyword) ways.push(add(node, 'false is true', 'true'));
    else if (ts.isNumericLiteral(node)) ways.push(add(node, `${node.text} is one more`, `${node.text} + 1`));
    return ways;
  };

  return {code: inside(tree), mutants};
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

/**
 * Whether the node runs after the module was loaded. Mutants of load-time code cannot be switched on later.
 */
function isRunLater(node: ts.Node): boolean {
  for (let up: ts.Node | undefined = node.parent; up !== undefined; up = up.parent) {
    if (ts.isFunctionLike(up) || ts.isPropertyDeclaration(up)) return true;
  }
  return false;
}

function isRemovable(node: ts.Expression): boolean {
  if (ts.isCallExpression(node)) return node.expression.kind !== ts.SyntaxKind.SuperKeyword;
  if (ts.isDeleteExpression(node)) return true;
  return ts.isBinaryExpression(node) && /^(=|\+=|-=|\?\?=|\|\|=|&&=)$/.test(node.operatorToken.getText());
}

function isCondition(node: ts.Node): boolean {
  const {parent} = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node;
  if (ts.isForStatement(parent) || ts.isConditionalExpression(parent)) return parent.condition === node;
  return false;
}

function isLoop(node: ts.Node): boolean {
  return ts.isWhileStatement(node) || ts.isForStatement(node);
}

function isNothing(node: ts.Expression): boolean {
  return (
    node.getText() === 'undefined' ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword
  );
}

function isNumeric({left, right}: ts.BinaryExpression): boolean {
  return [left, right].some(
    side => ts.isNumericLiteral(side) || /\.(length|size|count|level)$/.test(side.getText()),
  );
}

// Reads the stripped text and refuses, with its place, whatever cannot be part of a pure and synchronous function.
import {type Options, parse, parseExpressionAt} from 'acorn';
import {FormulaError, type Problem, placeOf} from './problem.ts';
import {functions, inside, type Tree} from './tree.ts';

const options: Options = {ecmaVersion: 'latest', sourceType: 'module', allowAwaitOutsideFunction: false};

/** One function expression and nothing else. Throws FormulaError. */
export function parseFormula(code: string): Tree {
  const tree = attempt(code, () => parseExpressionAt(code, 0, options) as unknown as Tree);
  const rest = withoutComments(code.slice(tree.end));
  if (/[^\s;]/.test(rest)) {
    const at = tree.end + code.slice(tree.end).search(/[^\s;]/);
    throw new FormulaError([
      {...placeOf(code, at), message: 'a formula is one expression, (ctx, item) => …; something follows it'},
    ]);
  }
  if (!functions.has(tree.type)) {
    throw new FormulaError([
      {
        ...placeOf(code, tree.start),
        message: 'a formula is a function: write (ctx, item) => …, or (ctx) => … for a singleton',
      },
    ]);
  }
  const problems = refusals(code, tree);
  if (problems.length > 0) throw new FormulaError(problems);
  return tree;
}

/** A module's program, imports and exports allowed. Throws FormulaError. */
export function parseModule(code: string): Tree {
  const tree = readModule(code);
  const problems = refusals(code, tree);
  if (problems.length > 0) throw new FormulaError(problems);
  return tree;
}

/** The same, whatever it does: for who only looks for a part of it. */
export function readModule(code: string): Tree {
  return attempt(code, () => parse(code, options) as unknown as Tree);
}

function attempt(code: string, read: () => Tree): Tree {
  try {
    return read();
  } catch (error) {
    const {message, pos} = error as Error & {pos?: number};
    if (pos === undefined || /stack/.test(message))
      throw new FormulaError([{line: 1, column: 1, message: 'the code is nested too deeply'}]);
    throw new FormulaError([{...placeOf(code, pos), message: message.replace(/ \(\d+:\d+\)$/, '')}]);
  }
}

const withoutComments = (text: string) => text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ');

function refusals(code: string, root: Tree): Problem[] {
  const problems: Problem[] = [];
  const refuse = (node: Tree, message: string) => problems.push({...placeOf(code, node.start), message});
  const visit = (node: Tree, parent: Tree | undefined): void => {
    const message = refusalOf(node, parent);
    if (message !== undefined) refuse(node, message);
    for (const child of inside(node)) visit(child, node);
  };
  try {
    visit(root, undefined);
  } catch (error) {
    if (error instanceof RangeError) refuse(root, 'the code is nested too deeply');
    else throw error;
  }
  if (problems.length === 0) problems.push(...textRefusals(code.slice(0, root.end)));
  return problems;
}

function refusalOf(node: Tree, parent: Tree | undefined): string | undefined {
  switch (node.type) {
    case 'Identifier':
      return (node.name as string).startsWith('$krt')
        ? 'names that begin with $krt are taken; choose another'
        : undefined;
    case 'AwaitExpression':
      return 'await is refused: a formula answers at once; it runs again when what it fetched changes';
    case 'YieldExpression':
      return 'generators are refused: return a list';
    case 'ImportExpression':
      return 'import is refused: a formula sees its item and what it fetches, nothing else';
    case 'MetaProperty':
      return (node.meta as {name?: string}).name === 'import'
        ? 'import is refused: there is no module around a formula'
        : undefined;
    case 'NewExpression':
      return isGlobal(node.callee, 'Date') && (node.arguments as unknown[]).length === 0 ? clock : undefined;
    case 'CallExpression':
      return isGlobal(node.callee, 'Date') ? clock : undefined;
    case 'MemberExpression':
      if (isGlobal(node.object, 'Date') && property(node) === 'now') return clock;
      if (isGlobal(node.object, 'Math') && property(node) === 'random') return chance;
      return undefined;
    case 'ForOfStatement':
      return node.await === true ? 'for await is refused: a formula answers at once' : undefined;
    default:
      if (!functions.has(node.type)) return undefined;
      if (node.generator === true) return 'generators are refused: return a list';
      return node.async === true && parent !== node
        ? 'async is refused: a formula answers at once; it runs again when what it fetched changes'
        : undefined;
  }
}

const clock =
  'the time of day is not pure: nothing would run again when it passes; compare times that are in the data';
const chance = 'Math.random is not pure: the same data must give the same result';

const isGlobal = (node: unknown, name: string) =>
  (node as Tree).type === 'Identifier' && (node as Tree).name === name;

function property({computed, property: own}: Tree): unknown {
  const node = own as Tree;
  return computed === true ? node.value : node.name;
}

// The walls of the compartment read text, not syntax: these are refused even inside a string or a comment.
const texts: readonly [RegExp, string][] = [
  [
    /(?:^|[^.]|\.\.\.)\bimport\s*(?:\(|\/[/*])/,
    'the text "import(" is refused, in strings and comments too; write it in two parts',
  ],
  [/<!--|-->/, 'the text "<!--" or "-->" is refused, in strings and comments too; write it in two parts'],
  [
    /(?:^|[^.])\beval\s*\(/,
    'the text "eval(" is refused, in strings and comments too; write it in two parts',
  ],
];

function textRefusals(code: string): Problem[] {
  const problems: Problem[] = [];
  for (const [pattern, message] of texts) {
    const found = pattern.exec(code);
    if (found === null) continue;
    const word = /import|eval|<!--|-->/.exec(found[0]);
    problems.push({...placeOf(code, found.index + (word?.index ?? 0)), message});
  }
  return problems;
}

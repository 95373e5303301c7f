// Parses the stripped text and refuses constructs that a pure, synchronous function cannot have.
import {type Options, parse, parseExpressionAt, type Token, tokenizer, tokTypes} from 'acorn';
import {type CodeProblem, FormulaError, placeOf} from './code-problem.ts';
import {childNodesOf, functions, type Tree} from './syntax-tree.ts';

const options: Options = {ecmaVersion: 'latest', sourceType: 'module', allowAwaitOutsideFunction: false};

/** Parses exactly one function expression. Throws FormulaError. */
export function parseFormula(code: string): Tree {
  const tree = parseExpression(code);
  const rest = withoutComments(code.slice(tree.end));
  if (/[^\s;]/.test(rest)) {
    const at = tree.end + code.slice(tree.end).search(/[^\s;]/);
    throw new FormulaError([
      {
        ...placeOf(code, at),
        message: 'a formula is one expression, (ctx, item) => …; remove what follows it',
      },
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
  const problems = findRefusals(code, tree);
  if (problems.length > 0) throw new FormulaError(problems);
  return tree;
}

/** Parses the expression at a position, whatever follows it. Throws FormulaError. */
export function parseExpression(code: string, at = 0): Tree {
  return parseOrThrow(code, () => parseExpressionAt(code, at, options) as unknown as Tree);
}

/** Parses the object literal at a position, whatever follows it. Throws FormulaError. */
export function parseObjectAt(code: string, at: number): Tree {
  return parseOrThrow(code, () => {
    let depth = 0;
    for (const {type, end} of tokenizer(code.slice(at), options)) {
      if (type === tokTypes.braceL) depth += 1;
      else if (type === tokTypes.braceR) depth -= 1;
      if (depth === 0) return parseExpressionAt(code.slice(0, at + end), at, options) as unknown as Tree;
    }
    throw new SyntaxError('the object does not end');
  });
}

/** Parses a module, with imports and exports. Throws FormulaError. */
export function parseModule(code: string): Tree {
  const tree = parseOrThrow(code, () => parse(code, options) as unknown as Tree);
  const problems = findRefusals(code, tree);
  if (problems.length > 0) throw new FormulaError(problems);
  return tree;
}

/** Parses a module without refusals, and lists the positions of its commas. Throws FormulaError. */
export function parseWithCommas(code: string): {program: Tree; commas: number[]} {
  const commas: number[] = [];
  const onToken = ({type, start}: Token) => {
    if (type === tokTypes.comma) commas.push(start);
  };
  const program = parseOrThrow(code, () => parse(code, {...options, onToken}) as unknown as Tree);
  return {program, commas};
}

function parseOrThrow(code: string, read: () => Tree): Tree {
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

function findRefusals(code: string, root: Tree): CodeProblem[] {
  const problems: CodeProblem[] = [];
  const refuse = (node: Tree, message: string) => problems.push({...placeOf(code, node.start), message});
  const visit = (node: Tree, parent: Tree | undefined): void => {
    const message = refusalOf(node, parent);
    if (message !== undefined) refuse(node, message);
    for (const child of childNodesOf(node)) visit(child, node);
  };
  try {
    visit(root, undefined);
  } catch (error) {
    if (error instanceof RangeError) refuse(root, 'the code is nested too deeply');
    else throw error;
  }
  if (problems.length === 0) problems.push(...findTextRefusals(code.slice(0, root.end)));
  return problems;
}

function refusalOf(node: Tree, parent: Tree | undefined): string | undefined {
  switch (node.type) {
    case 'Identifier':
      return (node.name as string).startsWith('$krt')
        ? 'names that begin with $krt are reserved; choose another'
        : undefined;
    case 'AwaitExpression':
      return 'await is refused: a formula is synchronous; it runs again when the data that it fetched changes';
    case 'YieldExpression':
      return 'generators are refused: return an array';
    case 'ImportExpression':
      return 'import is refused: a formula sees only its item and the data that it fetches';
    case 'MetaProperty':
      return (node.meta as {name?: string}).name === 'import'
        ? 'import is refused: a formula is not a module'
        : undefined;
    case 'NewExpression':
      return isGlobal(node.callee, 'Date') && (node.arguments as unknown[]).length === 0
        ? clockRefusal
        : undefined;
    case 'CallExpression':
      return isGlobal(node.callee, 'Date') ? clockRefusal : undefined;
    case 'MemberExpression':
      if (isGlobal(node.object, 'Date') && propertyNameOf(node) === 'now') return clockRefusal;
      if (isGlobal(node.object, 'Math') && propertyNameOf(node) === 'random') return randomRefusal;
      return undefined;
    case 'ForOfStatement':
      return node.await === true ? 'for await is refused: a formula is synchronous' : undefined;
    default:
      if (!functions.has(node.type)) return undefined;
      if (node.generator === true) return 'generators are refused: return an array';
      return node.async === true && parent !== node
        ? 'async is refused: a formula is synchronous; it runs again when the data that it fetched changes'
        : undefined;
  }
}

const clockRefusal =
  'the current time is not pure: the formula would not run again as time passes; ctx.minute() gives the minute, and runs again when it changes';
const randomRefusal = 'Math.random is not pure: the same data must give the same result';

const isGlobal = (node: unknown, name: string) =>
  (node as Tree).type === 'Identifier' && (node as Tree).name === name;

function propertyNameOf({computed, property: own}: Tree): unknown {
  const node = own as Tree;
  return computed === true ? node.value : node.name;
}

// The compartment's checks read text and not syntax, so these are refused even inside strings and comments.
const textPatterns: readonly [RegExp, string][] = [
  [
    /(?:^|[^.]|\.\.\.)\bimport\s*(?:\(|\/[/*])/,
    'the text "import(" is refused, in strings and comments too; split it in two',
  ],
  [/<!--|-->/, 'the text "<!--" or "-->" is refused, in strings and comments too; split it in two'],
  [/(?:^|[^.])\beval\s*\(/, 'the text "eval(" is refused, in strings and comments too; split it in two'],
];

function findTextRefusals(code: string): CodeProblem[] {
  const problems: CodeProblem[] = [];
  for (const [pattern, message] of textPatterns) {
    const found = pattern.exec(code);
    if (found === null) continue;
    const word = /import|eval|<!--|-->/.exec(found[0]);
    problems.push({...placeOf(code, found.index + (word?.index ?? 0)), message});
  }
  return problems;
}

// Parses CEL with @marcbachmann/cel-js and gives each node the position that Kubernetes names in errors. Its
// checker and evaluator are not used: their rules and messages differ from Kubernetes'.
import {type ASTNode, Environment, ParseError} from '@marcbachmann/cel-js';
import {CelUint} from './values.ts';

export type CelNode =
  | {op: 'value'; at: number; value: unknown}
  | {op: 'identifier'; at: number; name: string}
  | {op: 'select'; at: number; operand: CelNode; field: string; optional: boolean}
  | {op: 'call'; at: number; name: string; receiver: CelNode | undefined; args: CelNode[]}
  | {op: 'list'; at: number; items: CelNode[]}
  | {op: 'map'; at: number; entries: [CelNode, CelNode][]};

/** A mistake in the text of an expression. */
export class CelSyntaxError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const parser = new Environment({enableOptionalTypes: true, unlistedVariablesAreDyn: true});

/** The names of operators as functions, which overload errors print. */
const OPERATORS: Record<string, string> = {
  '+': '_+_',
  '-': '_-_',
  '*': '_*_',
  '/': '_/_',
  '%': '_%_',
  '==': '_==_',
  '!=': '_!=_',
  '<': '_<_',
  '<=': '_<=_',
  '>': '_>_',
  '>=': '_>=_',
  '&&': '_&&_',
  '||': '_||_',
  in: '@in',
};

export function parseExpression(text: string): CelNode {
  let ast: ASTNode;
  try {
    ast = parser.parse(text).ast;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const start = error.range?.start ?? text.length;
    throw new CelSyntaxError(`Syntax error: ${error.summary}`, start);
  }
  return convert(ast, text);
}

/** The parser's own class of unsigned integers is not exported. */
function isUnsigned(value: unknown): value is {value: bigint} {
  return typeof value === 'object' && value !== null && 'value' in value && typeof value.value === 'bigint';
}

type Raw = {op: string; args: unknown; pos: number; start: number; end: number};

function convert(node: unknown, text: string): CelNode {
  const {op, args, pos, start, end} = node as Raw;
  const list = args as unknown[];
  const child = (value: unknown) => convert(value, text);
  switch (op) {
    case 'value':
      return {op: 'value', at: start, value: isUnsigned(args) ? new CelUint(args.value) : args};
    case 'id':
      return {op: 'identifier', at: start, name: args as string};
    case 'list':
      return {op: 'list', at: start, items: list.map(child)};
    case 'map':
      return {
        op: 'map',
        at: start,
        entries: (args as [unknown, unknown][]).map(([key, value]) => [child(key), child(value)]),
      };
    case '.':
    case '.?': {
      const operand = child(list[0]);
      const at = text.indexOf('.', (list[0] as Raw).end);
      return {op: 'select', at, operand, field: list[1] as string, optional: op === '.?'};
    }
    case '[]':
    case '[?]': {
      const at = text.indexOf('[', (list[0] as Raw).end);
      return {
        op: 'call',
        at,
        name: op === '[]' ? '_[_]' : '_[?_]',
        receiver: undefined,
        args: list.map(child),
      };
    }
    case '!_':
    case '-_':
      return negated(op, start, child(args));
    case '?:': {
      const at = text.indexOf('?', (list[0] as Raw).end);
      return {op: 'call', at, name: '_?_:_', receiver: undefined, args: list.map(child)};
    }
    case 'call': {
      const [name, given] = args as [string, unknown[]];
      const at = text.indexOf('(', start);
      return {op: 'call', at, name, receiver: undefined, args: given.map(child)};
    }
    case 'rcall': {
      const [name, receiver, given] = args as [string, unknown, unknown[]];
      const at = text.indexOf('(', text.indexOf('.', (receiver as Raw).end));
      return {op: 'call', at, name, receiver: child(receiver), args: given.map(child)};
    }
    default: {
      const name = OPERATORS[op];
      if (name === undefined)
        throw new CelSyntaxError(`unsupported syntax: '${text.slice(pos, end)}'`, start);
      const [left, right] = list as [Raw, Raw];
      const at = operatorPosition(text, op, left.end, right.start);
      return {op: 'call', at, name, receiver: undefined, args: [child(left), child(right)]};
    }
  }
}

/** A minus before a number belongs to the number. */
function negated(op: string, at: number, operand: CelNode): CelNode {
  if (op === '-_' && operand.op === 'value' && typeof operand.value === 'bigint')
    return {op: 'value', at, value: -operand.value};
  if (op === '-_' && operand.op === 'value' && typeof operand.value === 'number')
    return {op: 'value', at, value: -operand.value};
  return {op: 'call', at, name: op, receiver: undefined, args: [operand]};
}

/** Skips parentheses and spaces between the operands. */
function operatorPosition(text: string, op: string, from: number, to: number): number {
  const found = text.indexOf(op, from);
  return found < 0 || found > to ? from : found;
}

/** The error as Kubernetes prints it, with the line and a mark below the position. */
export function printError(text: string, at: number, message: string): string {
  const before = text.slice(0, at).split('\n');
  const line = text.split('\n')[before.length - 1] ?? '';
  const column = [...(before.at(-1) ?? '')].length;
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

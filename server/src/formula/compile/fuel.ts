// Inserts the fuel meter: a counter at every loop head and function entry, and the line of every fetch.
// Insertions contain no line break, so that line numbers stay the same.
import MagicString from 'magic-string';
import {placeOf} from './code-problem.ts';
import {childNodesOf, functions, isTree, loops, type Tree} from './syntax-tree.ts';

/** compartment.ts and sandboxed-module.ts declare these names around the code. */
const BURN = '--$krtFuel<0&&$krtOut()';

export interface MeteredCode {
  text: string;
  /** The insertions of every line: `[column in the result, shift to the left]`, columns from 1. */
  shifts: [number, number][][];
}

export interface MeterOptions {
  /** Whether calls of fetch note their line. */
  readonly recordsFetches?: boolean;
  /** Functions outside of this code that may fetch: their calls note their line. */
  readonly fetching?: ReadonlySet<string>;
}

export function insertMeter(code: string, root: Tree, options: MeterOptions = {}): MeteredCode {
  const edit = new MagicString(code);
  insertMeterInto(root, code, edit, options);
  return {text: edit.toString(), shifts: shiftsOf(edit)};
}

/** Meters code that other edits change too. */
export function insertMeterInto(
  root: Tree,
  code: string,
  edit: MagicString,
  options: MeterOptions = {},
): void {
  visit(root, code, edit, options);
}

function visit(node: Tree, code: string, edit: MagicString, options: MeterOptions): void {
  if (functions.has(node.type)) meterFunction(node, edit);
  else if (loops.has(node.type)) meterBody(node.body as Tree, edit);
  else if (node.type === 'PropertyDefinition') meterField(node, edit);
  else if (node.type === 'StaticBlock') edit.appendRight(code.indexOf('{', node.start) + 1, `${BURN};`);
  else if (node.type === 'CallExpression' && isFetch(node, options)) recordFetchLine(node, code, edit);
  for (const child of childNodesOf(node)) visit(child, code, edit, options);
}

function meterFunction(node: Tree, edit: MagicString): void {
  const body = node.body as Tree;
  if (body.type === 'BlockStatement') {
    // This ends a directive prologue, which is harmless because the code is always strict.
    edit.appendRight(body.start + 1, `${BURN};`);
    return;
  }
  edit.appendRight(body.start, `(${BURN},`);
  edit.prependLeft(body.end, ')');
}

/** Meter class fields: they run with every new instance and may create the next one. */
function meterField({value}: Tree, edit: MagicString): void {
  if (!isTree(value)) return;
  edit.appendRight(value.start, `(${BURN},`);
  edit.prependLeft(value.end, ')');
}

function meterBody(body: Tree, edit: MagicString): void {
  if (body.type === 'BlockStatement') {
    edit.appendRight(body.start + 1, `${BURN};`);
    return;
  }
  edit.appendRight(body.start, `{${BURN};`);
  edit.prependLeft(body.end, '}');
}

const reads = new Set(['fetch', 'fetchOne']);

function isFetch({callee, arguments: args}: Tree, {recordsFetches = true, fetching}: MeterOptions): boolean {
  if (!recordsFetches) return false;
  const called = callee as Tree;
  const last = (args as Tree[]).at(-1);
  if (last === undefined || last.type === 'SpreadElement') return false;
  if (called.type === 'Identifier')
    return reads.has(called.name as string) || fetching?.has(called.name as string) === true;
  return (
    called.type === 'MemberExpression' &&
    called.computed !== true &&
    reads.has((called.property as Tree).name as string)
  );
}

// Wraps the last argument, which is evaluated after all inner fetches and right before the call.
function recordFetchLine(node: Tree, code: string, edit: MagicString): void {
  const last = (node.arguments as Tree[]).at(-1) as Tree;
  const {line} = placeOf(code, (node.callee as Tree).end);
  edit.prependRight(last.start, '$krtAt(');
  edit.appendLeft(last.end, `,${line})`);
}

function shiftsOf(edit: MagicString): [number, number][][] {
  const {mappings} = edit.generateDecodedMap({hires: 'boundary'});
  return mappings.map(line => {
    const shifts: [number, number][] = [];
    for (const [column, , , from] of line as [number, number, number, number][]) {
      const shift = column - (from ?? column);
      if (shift !== (shifts.at(-1)?.[1] ?? 0)) shifts.push([column + 1, shift]);
    }
    return shifts;
  });
}

/** The typed column of a column in the metered text. */
export function columnOf(shifts: MeteredCode['shifts'], line: number, column: number): number {
  let shift = 0;
  for (const [from, by] of shifts[line - 1] ?? []) if (from <= column) shift = by;
  return Math.max(1, column - shift);
}

// Reads and writes the file of one formula: `export default formula({…}, (ctx, x) => …)` with literal options. Files
// are parsed and never imported.
import {createHash} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import {formulaTestSchema, paramValuesSchema} from '@krtscope/shared/formulas.ts';
import MagicString from 'magic-string';
import {z} from 'zod';
import {FormulaError, placeOf} from '../../../formula/compile/code-problem.ts';
import {runInCompileThread} from '../../../formula/compile/compile-thread.ts';
import {parseObjectAt, parseWithCommas} from '../../../formula/compile/syntax.ts';
import type {Tree} from '../../../formula/compile/syntax-tree.ts';
import {type EmbeddedCode, readMarker, splitCode, withoutMarker, writeMarker} from './embedded-code.ts';
import type {FormulaText, StoredFormula} from './formula-store.ts';

const optionsSchema = z.strictObject({
  input: z.string().optional(),
  kind: z.enum(['one', 'many', 'singleton']).optional(),
  sources: z.array(z.string()).optional(),
  params: paramValuesSchema.optional(),
  tests: z.array(formulaTestSchema).optional(),
});

const FORM = 'a formula file is one statement: export default formula({input: …}, (ctx, item) => …)';

export function revisionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

type FormulaOptions = z.infer<typeof optionsSchema>;

interface FormulaFileParts {
  options: FormulaOptions;
  /** Positions of the options and the code in the text. */
  optionsAt: [number, number];
  codeAt: [number, number];
}

/** Never rejects: an unreadable file comes back with its problems, and with its options as far as they can be read. */
export async function readFormulaFile(name: string, text: string): Promise<StoredFormula> {
  const revision = revisionOf(text);
  try {
    const {options, codeAt} = await parseFormulaFile(text);
    const {before, after} = readMarker(text);
    return {name, code: `${before}${text.slice(...codeAt)}${after}`, ...options, revision};
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    const salvaged = await salvageFormula(text);
    if (salvaged.code !== undefined) return {name, code: salvaged.code, ...salvaged.options, revision};
    return {name, code: text, ...salvaged.options, revision, problems: error.problems};
  }
}

/** Keeps the text around options and code, which is mostly comments. */
export async function writeFormulaFile(formula: FormulaText, old?: string): Promise<string> {
  const {input, kind, sources, params, tests, code} = formula;
  const options: FormulaOptions = {
    ...(input === undefined ? {} : {input}),
    ...(kind === undefined || kind === (input === undefined ? 'singleton' : 'one') ? {} : {kind}),
    ...(sources === undefined || sources.length === 0 ? {} : {sources}),
    ...(params === undefined || Object.keys(params).length === 0 ? {} : {params}),
    ...(tests === undefined || tests.length === 0 ? {} : {tests}),
  };
  const split = await splitCode(code);
  const text = (await editFormulaFile(old, options, split)) ?? newFormulaFile(options, split);
  const read = await readFormulaFile(formula.name, text);
  if (read.code !== code || read.problems !== undefined)
    throw new Error(
      'the code cannot be stored as a file: it would not read back as typed; change how it ends',
    );
  return text;
}

function newFormulaFile(options: FormulaOptions, split: EmbeddedCode): string {
  const lineBreak = split.endsWithLineComment ? '\n' : '';
  return `export default formula(${writeLiteral(options)}, ${split.core}${lineBreak});\n${writeMarker(split)}`;
}

/** Changes only what differs. Undefined if there is no old text, or if it cannot be parsed. */
async function editFormulaFile(
  old: string | undefined,
  options: FormulaOptions,
  split: EmbeddedCode,
): Promise<string | undefined> {
  if (old === undefined) return undefined;
  try {
    const {options: oldOptions, optionsAt, codeAt} = await parseFormulaFile(old);
    const edit = new MagicString(old);
    if (!isDeepStrictEqual(oldOptions, options)) edit.overwrite(...optionsAt, writeLiteral(options));
    if (old.slice(...codeAt) !== split.core) {
      const needsLineBreak = split.endsWithLineComment && !/^[^\S\n\r]*[\n\r]/.test(old.slice(codeAt[1]));
      edit.overwrite(...codeAt, needsLineBreak ? `${split.core}\n` : split.core);
    }
    const marker = writeMarker(split);
    const text = withoutMarker(edit.toString());
    return marker === '' ? text : `${text}${/[\n\r]$/.test(text) ? '' : '\n'}${marker}`;
  } catch (error) {
    if (error instanceof FormulaError) return undefined;
    throw error;
  }
}

async function parseFormulaFile(text: string): Promise<FormulaFileParts> {
  // The stripper drops a byte order mark, which would shift every position.
  const shift = text.startsWith('\uFEFF') ? 1 : 0;
  const source = text.slice(shift);
  const stripped = await runInCompileThread({job: 'strip-module', code: source});
  const {program, commas} = parseWithCommas(stripped);
  const refuse = (node: Tree, message: string) =>
    new FormulaError([{...placeOf(source, node.start), message}]);
  const [statement, ...more] = (program.body as Tree[]).filter(({type}) => type !== 'EmptyStatement');
  if (statement?.type !== 'ExportDefaultDeclaration') throw refuse(statement ?? program, FORM);
  if (more[0] !== undefined) throw refuse(more[0], FORM);
  const call = statement.declaration as Tree;
  const callee = call.callee as Tree | undefined;
  const [first, second, third] = (call.arguments ?? []) as Tree[];
  const isFormula =
    call.type === 'CallExpression' && callee?.type === 'Identifier' && callee.name === 'formula';
  if (!isFormula || first === undefined || second === undefined || third !== undefined)
    throw refuse(call, FORM);
  const [start, end] = codeRangeOf(source, commas, first, second, call);
  return {
    options: readOptions(first, refuse),
    optionsAt: [first.start + shift, first.end + shift],
    codeAt: [start + shift, end + shift],
  };
}

function readOptions(node: Tree, refuse: RefuseNode): FormulaOptions {
  const read = optionsSchema.safeParse(literalValue(node, refuse));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw refuse(node, `${issue?.path.join('.') || 'the options'}: ${issue?.message ?? 'cannot be read'}`);
}

/**
 * The text between the comma and the closing bracket, without the space around it. It includes comments, and types,
 * which the stripper blanks.
 */
function codeRangeOf(
  source: string,
  commas: readonly number[],
  first: Tree,
  second: Tree,
  call: Tree,
): [number, number] {
  let start = (commas.find(comma => comma >= first.end) ?? first.end) + 1;
  while (/\s/.test(source[start] ?? '')) start += 1;
  let end = call.end - 1;
  const trailing = commas.findLast(comma => comma >= second.end && comma < end);
  if (trailing !== undefined) end = trailing;
  while (/\s/.test(source[end - 1] ?? '')) end -= 1;
  return [start, end];
}

/**
 * Reads the options of a file that cannot be parsed, so that a change of the code alone keeps them. Also reads the code of
 * files that an earlier krtscope wrote with a `;` or a comment before the closing bracket.
 */
async function salvageFormula(text: string): Promise<{options?: FormulaOptions; code?: string}> {
  const head = /\bexport\s+default\s+formula\s*\(\s*/.exec(text);
  if (head === null) return {};
  try {
    const refuse: RefuseNode = () => new FormulaError([]);
    const node = parseObjectAt(text, head.index + head[0].length);
    const options = readOptions(node, refuse);
    const rest = /^\s*,([\s\S]*)\)\s*;?\s*$/.exec(text.slice(node.end))?.[1]?.trim();
    if (rest === undefined) return {options};
    const compiles = await splitCode(rest).then(
      ({core, after}) => core !== '' && (after !== '' || rest.includes('//')),
      () => false,
    );
    return compiles ? {options, code: rest} : {options};
  } catch {
    return {};
  }
}

type RefuseNode = (node: Tree, message: string) => FormulaError;

function literalValue(node: Tree, refuse: RefuseNode): unknown {
  switch (node.type) {
    case 'Literal':
      if (node.regex !== undefined || node.bigint !== undefined) break;
      return node.value;
    case 'TemplateLiteral':
      if ((node.expressions as Tree[]).length > 0) break;
      return ((node.quasis as Tree[])[0]?.value as {cooked?: string} | undefined)?.cooked;
    case 'UnaryExpression':
      if (node.operator !== '-') break;
      return -(literalValue(node.argument as Tree, refuse) as number);
    case 'ArrayExpression':
      return (node.elements as (Tree | null)[]).map(one => (one === null ? null : literalValue(one, refuse)));
    case 'ObjectExpression': {
      const object: Record<string, unknown> = Object.create(null);
      for (const property of node.properties as Tree[]) {
        if (property.type !== 'Property' || property.computed === true || property.kind !== 'init')
          throw refuse(property, 'the options of a formula file must be literals, without names or calls');
        const key = property.key as Tree;
        object[String(key.name ?? key.value)] = literalValue(property.value as Tree, refuse);
      }
      return {...object};
    }
  }
  throw refuse(node, 'the options of a formula file must be literals, without names or calls');
}

const isBareName = (text: string) => /^[A-Za-z_$][\w$]*$/.test(text) && text !== '__proto__';

/** Writes a literal as a person would: bare names and single quotes. */
function writeLiteral(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, own]) => `${isBareName(name) ? name : writeLiteral(name)}: ${writeLiteral(own)}`,
  );
  return `{${fields.join(', ')}}`;
}

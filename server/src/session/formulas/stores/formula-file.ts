// Reads and writes the file of one formula: `export default formula({…}, (ctx, x) => …)` with literal options. Files
// are parsed and never imported.
import {createHash} from 'node:crypto';
import {formulaTestSchema} from '@krtscope/shared/formulas.ts';
import MagicString from 'magic-string';
import {z} from 'zod';
import {FormulaError, placeOf} from '../../../formula/compile/code-problem.ts';
import {parseModuleUnchecked} from '../../../formula/compile/syntax.ts';
import type {Tree} from '../../../formula/compile/syntax-tree.ts';
import {stripModuleTypes} from '../../../formula/compile/type-stripper.ts';
import type {FormulaText, StoredFormula} from './formula-store.ts';

const optionsSchema = z.strictObject({
  input: z.string().optional(),
  kind: z.enum(['one', 'many', 'singleton']).optional(),
  sources: z.array(z.string()).optional(),
  tests: z.array(formulaTestSchema).optional(),
});

const FORM = 'a formula file is one statement: export default formula({input: …}, (ctx, item) => …)';

export function revisionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

interface FormulaFileParts {
  options: z.infer<typeof optionsSchema>;
  /** Positions of the options and the code in the text. */
  optionsAt: [number, number];
  codeAt: [number, number];
}

/** Never rejects: an unreadable file comes back with its problems. */
export async function readFormulaFile(name: string, text: string): Promise<StoredFormula> {
  const revision = revisionOf(text);
  try {
    const {options, codeAt} = await parseFormulaFile(text);
    const {input, kind, sources, tests} = options;
    return {
      name,
      code: text.slice(...codeAt),
      input,
      kind,
      sources,
      tests,
      revision,
    };
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return {name, code: text, revision, problems: error.problems};
  }
}

/** Keeps the text around options and code, which is mostly comments. */
export async function writeFormulaFile(formula: FormulaText, old?: string): Promise<string> {
  const {input, kind, sources, tests, code} = formula;
  const options = writeLiteral({
    ...(input === undefined ? {} : {input}),
    ...(kind === undefined || kind === (input === undefined ? 'singleton' : 'one') ? {} : {kind}),
    ...(sources === undefined || sources.length === 0 ? {} : {sources}),
    ...(tests === undefined || tests.length === 0 ? {} : {tests}),
  });
  const fresh = `export default formula(${options}, ${code.trim()});\n`;
  if (old === undefined) return fresh;
  try {
    const {optionsAt, codeAt} = await parseFormulaFile(old);
    const edit = new MagicString(old);
    edit.overwrite(...optionsAt, options);
    edit.overwrite(...codeAt, code.trim());
    return edit.toString();
  } catch (error) {
    if (error instanceof FormulaError) return fresh;
    throw error;
  }
}

async function parseFormulaFile(text: string): Promise<FormulaFileParts> {
  const stripped = await stripModuleTypes(text);
  const program = parseModuleUnchecked(stripped);
  const refuse = (node: Tree, message: string) => new FormulaError([{...placeOf(text, node.start), message}]);
  const [statement, more] = program.body as Tree[];
  if (statement?.type !== 'ExportDefaultDeclaration') throw refuse(statement ?? program, FORM);
  if (more !== undefined) throw refuse(more, FORM);
  const call = statement.declaration as Tree;
  const callee = call.callee as Tree | undefined;
  const [first, second, third] = (call.arguments ?? []) as Tree[];
  const isFormula =
    call.type === 'CallExpression' && callee?.type === 'Identifier' && callee.name === 'formula';
  if (!isFormula || first === undefined || second === undefined || third !== undefined)
    throw refuse(call, FORM);
  const read = optionsSchema.safeParse(literalValue(first, refuse));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw refuse(first, `${issue?.path.join('.') || 'the options'}: ${issue?.message ?? 'cannot be read'}`);
  }
  return {
    options: read.data,
    optionsAt: [first.start, first.end],
    codeAt: codeRangeOf(stripped, first, second, call),
  };
}

/** The text between the comma and the closing bracket. It includes a comment above the function. */
function codeRangeOf(stripped: string, first: Tree, second: Tree, call: Tree): [number, number] {
  const comma = stripped.indexOf(',', first.end);
  let start = comma + 1;
  while (/\s/.test(stripped[start] ?? '')) start += 1;
  // A type before the brackets was blanked, so the code begins with the function at the latest.
  start = Math.min(start, second.start);
  let end = call.end - 1;
  while (end > second.end && /[\s,]/.test(stripped[end - 1] ?? '')) end -= 1;
  return [start, end];
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
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, own]) => `${isBareName(name) ? name : writeLiteral(name)}: ${writeLiteral(own)}`,
  );
  return `{${fields.join(', ')}}`;
}

// Compiles formulas for the engine process, in a thread of their own.
import {createHash} from 'node:crypto';
import type {FormulaParam, ParamValues} from '@krtscope/shared/formulas.ts';
import {FormulaError} from './code-problem.ts';
import {runInCompileThread} from './compile-thread.ts';
import {columnOf, type MeteredCode} from './fuel.ts';

/** Long enough for any formula, short enough for a quick compilation. */
const MAX_CODE = 64 * 1024;

export type CompiledFormulaKind = 'one' | 'many' | 'singleton';

/** Plain data that is sent to the engine process. */
export interface CompiledFormula {
  /** Hash of code, kind, input, parameters and used helpers. A quarantine refers to it. */
  hash: string;
  /** A metered function expression. */
  text: string;
  /** Collections in the code, in the order of the text. */
  names: string[];
  /** The names among them that are valid identifiers and appear in the code as such. */
  bare: string[];
  indexes: {collection: string; path: string}[];
  /** Where each of `names` first appears. */
  places: Record<string, {line: number; column: number}>;
  shifts: MeteredCode['shifts'];
  /** In the order of the text. */
  params: FormulaParam[];
  /** The helpers of the folder that it uses. */
  helpers?: {text: string; names: string[]; source: string};
}

/** Rejects with FormulaError. */
export async function compileFormula(
  code: string,
  kind: CompiledFormulaKind,
  input?: string,
  values?: ParamValues,
  helpers?: string,
): Promise<CompiledFormula> {
  if (code.length > MAX_CODE) {
    throw new FormulaError([
      {line: 1, column: 1, message: 'a formula has at most 64 KB of text; split it in two'},
    ]);
  }
  if (code.trim() === '') {
    throw new FormulaError([{line: 1, column: 1, message: 'there is no code: write (ctx, item) => …'}]);
  }
  const {places, ...compiled} = await runInCompileThread({job: 'formula', code, values, helpers});
  // Any name may be a collection's, also that of an inherited property.
  return {
    ...compiled,
    places: Object.assign(Object.create(null), places),
    hash: hashOf(code, kind, input, values, compiled.helpers?.source),
  };
}

export function hashOf(
  code: string,
  kind: CompiledFormulaKind,
  input?: string,
  values?: ParamValues,
  helpers?: string,
): string {
  const hasValues = values !== undefined && Object.keys(values).length > 0;
  const changed = [...(hasValues ? [values] : []), ...(helpers === undefined ? [] : [helpers])];
  return createHash('sha256')
    .update(JSON.stringify([code, kind, input ?? null, ...changed]))
    .digest('hex')
    .slice(0, 16);
}

export {columnOf};

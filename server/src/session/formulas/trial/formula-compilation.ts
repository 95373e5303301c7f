// Compiles a stored formula into an order for the engine process, or into its problems.
import type {FormulaKind, RowError} from '@krtscope/shared/formulas.ts';
import {withGrouped} from '@krtscope/shared/groups/group-name.ts';
import type {InstallableFormula} from '../../../engine/link/commands.ts';
import {EngineFailure} from '../../../engine/link/engine-link.ts';
import {type CodeProblem, FormulaError} from '../../../formula/compile/code-problem.ts';
import {type CompiledFormula, compileFormula, hashOf} from '../../../formula/compile/formula-compiler.ts';
import {formulaNameProblem} from '../../../formula/compile/scope-names.ts';
import type {FormulaText, StoredFormula} from '../stores/formula-store.ts';
import {resolveKind} from './preview.ts';

export interface FormulaCompilation {
  readonly kind: FormulaKind;
  readonly input: string | undefined;
  readonly hash: string;
  /** Its input, all names in its code, and the collections that groups among them are made of. */
  readonly reads: readonly string[];
  readonly compiled: CompiledFormula | undefined;
  readonly problems: readonly CodeProblem[];
}

/** Never rejects for errors in the text: they are `problems`. `helpers`: the text of the folder's helpers. */
export async function compileFormulaText(
  stored: StoredFormula | FormulaText,
  helpers?: string,
): Promise<FormulaCompilation> {
  const {name, code, input, params} = stored;
  const kind = stored.kind ?? (input === undefined ? 'singleton' : 'one');
  const wrong = (problems: readonly CodeProblem[]): FormulaCompilation => ({
    kind,
    input,
    hash: hashOf(code, kind, input, params),
    reads: withGrouped(input === undefined ? [] : [input]),
    compiled: undefined,
    problems,
  });
  const refused = formulaNameProblem(name);
  if (refused !== undefined) return wrong([{line: 1, column: 1, message: refused}]);
  if ('problems' in stored && stored.problems !== undefined) return wrong(stored.problems);
  try {
    resolveKind(kind, input);
    const compiled = await compileFormula(code, kind, input, params, helpers);
    const reads = withGrouped([...(input === undefined ? [] : [input]), ...compiled.names]);
    return {kind, input, hash: compiled.hash, reads, compiled, problems: []};
  } catch (error) {
    if (error instanceof FormulaError) return wrong(error.problems);
    if (error instanceof EngineFailure) return wrong([{line: 1, column: 1, message: error.message}]);
    throw error;
  }
}

export function toFormulaOrder(
  {name, code, params}: FormulaText,
  {kind, input, hash, reads, compiled}: FormulaCompilation,
  trouble?: InstallableFormula['trouble'],
): InstallableFormula {
  return {
    name,
    kind,
    input,
    code,
    hash,
    reads: [...reads],
    ...(params === undefined ? {} : {params}),
    ...(compiled?.helpers === undefined ? {} : {helpers: compiled.helpers.source}),
    compiled,
    trouble,
  };
}

export function firstProblem([problem]: readonly CodeProblem[]): RowError {
  if (problem === undefined) return {message: 'it cannot be read'};
  const {message, line, column} = problem;
  return {message, line, column};
}

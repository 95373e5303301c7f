// Compiles a draft and previews it in a lab process.
import type {FormulaKind, ParamValues, Preview, PreviewRequest, RowError} from '@krtscope/shared/formulas.ts';
import {EngineFailure} from '../../../engine/link/engine-link.ts';
import type {LabPool} from '../../../engine/supervisor/lab-pool.ts';
import {DraftStopped} from '../../../engine/supervisor/lab-process.ts';
import {type CompiledFormula, columnOf, compileFormula} from '../../../formula/compile/formula-compiler.ts';
import {unknownParamProblem} from '../../../formula/compile/formula-params.ts';
import {CLOCK} from '../../../formula/compile/scope-names.ts';
import {badFormulaFailure, badQueryFailure, rethrowFormulaError} from '../api-failures.ts';
import type {FormulaHelpers} from '../formula-helpers.ts';
import type {GroupCollections} from '../group-collections.ts';
import {describeStop} from './trial-run.ts';

/** The kind of a request. Throws EngineFailure if its input does not fit. */
export function resolveKind(kind: FormulaKind | undefined, input: string | undefined): FormulaKind {
  const resolved = kind ?? (input === undefined ? 'singleton' : 'one');
  if (resolved === 'singleton' && input !== undefined)
    throw badQueryFailure('a singleton has no input', 'leave input out, or make it one or many');
  if (resolved !== 'singleton' && input === undefined)
    throw badQueryFailure(`a formula of kind ${resolved} needs an input`, 'name its input collection');
  return resolved;
}

/** What a draft may need before it can be tried; absent where the session cannot give it. */
export interface DraftPreparation {
  addSource?(resource: string): Promise<void>;
  startClock?(): Promise<void>;
  readonly helpers?: Pick<FormulaHelpers, 'text' | 'state'>;
  readonly groups?: Pick<GroupCollections, 'useExisting'>;
}

/** Throws EngineFailure for a value without a parameter. */
export function refuseUnknownParams(
  values: ParamValues | undefined,
  {params}: Pick<CompiledFormula, 'params'>,
): void {
  const problem = unknownParamProblem(values, params);
  if (problem !== undefined) throw badFormulaFailure([{line: 1, column: 1, message: problem}]);
}

export async function previewDraft(
  lab: LabPool,
  request: PreviewRequest,
  prepare: DraftPreparation,
  signal?: AbortSignal,
): Promise<Preview> {
  const {code, input, keys, limit, shadow, name = 'draft', tab, params} = request;
  const kind = resolveKind(request.kind, input);
  const compiled = await rethrowFormulaError(
    compileFormula(code, kind, input, params, prepare.helpers?.text),
  );
  refuseUnknownParams(params, compiled);
  if (compiled.names.includes(CLOCK)) await prepare.startClock?.();
  for (const resource of request.sources ?? []) await prepare.addSource?.(resource);
  const draft = {name, kind, compiled, input, keys, limit, shadow};
  const reads = [
    ...new Set([
      ...(input === undefined ? [] : [input]),
      ...compiled.names,
      ...(shadow === undefined ? [] : [shadow]),
    ]),
  ];
  await prepare.groups?.useExisting(reads);
  try {
    const {rows, isSlow: _isSlow, ...tried} = await lab.try(draft, reads, {tab, signal});
    return {
      ...tried,
      ...(compiled.params.length === 0 ? {} : {params: compiled.params}),
      rows: rows.map(row =>
        row.error === undefined ? row : {...row, error: toTypedColumn(row.error, compiled)},
      ),
    };
  } catch (error) {
    if (error instanceof DraftStopped) return stoppedPreview(error, request);
    throw toUnknownNameFailure(error, compiled, input);
  }
}

/** Converts a column of the metered text to the typed text. */
function toTypedColumn({column, ...error}: RowError, {shifts}: CompiledFormula): RowError {
  if (error.line === undefined || column === undefined) return error;
  return {...error, column: columnOf(shifts, error.line, column)};
}

/** An unknown name in the code is an error in the code, with its place. An unknown input is not. */
export function toUnknownNameFailure(
  error: unknown,
  {names, places}: CompiledFormula,
  input: string | undefined,
): unknown {
  if (!(error instanceof EngineFailure) || error.code !== 'unknown-collection') return error;
  const name = names.find(one => error.message.includes(`"${one}"`));
  if (name === undefined || name === input) return error;
  const place = places[name] ?? {line: 1, column: 1};
  const message =
    name === CLOCK
      ? 'ctx.minute() works only in the session of a cluster'
      : `there is no collection "${name}"`;
  return badFormulaFailure([{...place, message}]);
}

function stoppedPreview(error: DraftStopped, {keys, limit}: PreviewRequest): Preview {
  const {input = ''} = error;
  const words = describeStop(error);
  const count = keys?.length ?? limit ?? 1;
  return {
    rows: [{input, items: [], error: {message: words, input: input || undefined}, fetches: [], ms: 0}],
    total: count,
    tried: 1,
    failed: 1,
    checks: [{code: 'ends', holds: false, message: words}],
  };
}

// A draft on its way to the lab process and its answer on the way back: compiled here, run there.
import type {FormulaKind, Preview, PreviewRequest, RowError} from '@krtscope/shared/formulas.ts';
import {EngineFailure} from '../../../engine/link/engine-link.ts';
import {DraftStopped, type LabProcess} from '../../../engine/supervisor/lab-process.ts';
import {type CompiledFormula, columnOf, compileFormula} from '../../../formula/compile/formula-compiler.ts';
import {badFormulaFailure, badQueryFailure, rethrowFormulaError} from '../api-failures.ts';

/** The kind that a request means. Throws EngineFailure if its input does not go with it. */
export function resolveKind(kind: FormulaKind | undefined, input: string | undefined): FormulaKind {
  const meant = kind ?? (input === undefined ? 'singleton' : 'one');
  if (meant === 'singleton' && input !== undefined)
    throw badQueryFailure('a singleton has no input', 'leave input out, or make it one or many');
  if (meant !== 'singleton' && input === undefined)
    throw badQueryFailure(
      `a formula of kind ${meant} has an input`,
      'name the collection whose items it takes',
    );
  return meant;
}

export async function previewDraft(lab: LabProcess, request: PreviewRequest): Promise<Preview> {
  const {code, input, keys, limit, shadow, name = 'draft'} = request;
  const kind = resolveKind(request.kind, input);
  const compiled = await rethrowFormulaError(compileFormula(code, kind, input));
  const draft = {
    name,
    kind,
    compiled,
    ...(input === undefined ? {} : {input}),
    ...(keys === undefined ? {} : {keys}),
    ...(limit === undefined ? {} : {limit}),
    ...(shadow === undefined ? {} : {shadow}),
  };
  const reads = [
    ...new Set([
      ...(input === undefined ? [] : [input]),
      ...compiled.names,
      ...(shadow === undefined ? [] : [shadow]),
    ]),
  ];
  try {
    const {rows, ...tried} = await lab.try(draft, reads);
    return {
      ...tried,
      rows: rows.map(row =>
        row.error === undefined ? row : {...row, error: toTypedColumn(row.error, compiled)},
      ),
    };
  } catch (error) {
    if (error instanceof DraftStopped) return stoppedPreview(error, request);
    throw toUnknownNameFailure(error, compiled, input);
  }
}

/** Columns count in what was typed. */
function toTypedColumn({column, ...error}: RowError, {shifts}: CompiledFormula): RowError {
  if (error.line === undefined || column === undefined) return error;
  return {...error, column: columnOf(shifts, error.line, column)};
}

/** A name in the code that no collection has is a mistake in the code, at its place; an input that is none is not. */
export function toUnknownNameFailure(
  error: unknown,
  {names, places}: CompiledFormula,
  input: string | undefined,
): unknown {
  if (!(error instanceof EngineFailure) || error.code !== 'unknown-collection') return error;
  const name = names.find(one => error.message.includes(`"${one}"`));
  if (name === undefined || name === input) return error;
  const place = places[name] ?? {line: 1, column: 1};
  return badFormulaFailure([{...place, message: `there is no collection "${name}"`}]);
}

function stoppedPreview({message, input = '', more}: DraftStopped, {keys, limit}: PreviewRequest): Preview {
  const where = more > 0 ? ` (at ${input} or one of the ${more} rows after it)` : '';
  const words = `the formula was ended: ${message}${where}`;
  const count = keys?.length ?? limit ?? 1;
  return {
    rows: [{input, items: [], error: {message: words, ...(input === '' ? {} : {input})}, fetches: [], ms: 0}],
    total: count,
    tried: 1,
    failed: 1,
    checks: [{code: 'ends', holds: false, message: words}],
  };
}

// Tries a new revision in a lab process before it goes live: over all rows, and over its tests.
import {isDeepStrictEqual} from 'node:util';
import type {FormulaCheck, FormulaTest} from '@krtscope/shared/formulas.ts';
import type {LabPool} from '../../../engine/supervisor/lab-pool.ts';
import type {DraftStopped} from '../../../engine/supervisor/lab-process.ts';
import type {FormulaCompilation} from './formula-compilation.ts';

/** Rows of the answer: those run twice, as in a preview. */
const SHOWN_ROWS = 20;

export interface FormulaTrialResult {
  readonly checks: FormulaCheck[];
  /** It needs a process of its own. */
  readonly isSlow: boolean;
}

/** Rejects with DraftStopped if it ended the lab process, with EngineFailure if it cannot be tried. */
export async function tryFormula(
  lab: LabPool,
  name: string,
  {kind, input, compiled}: FormulaCompilation,
  tests: readonly FormulaTest[] = [],
): Promise<FormulaTrialResult> {
  if (compiled === undefined) return {checks: [], isSlow: false};
  const draft = {name, kind, compiled, input};
  const reads = [...new Set([...(input === undefined ? [] : [input]), ...compiled.names])];
  // What was stopped in the preview is tried on the same rows, so that it is refused in the same words.
  const stopped = lab.stoppedDraft(draft);
  if (stopped !== undefined) await lab.try({...draft, ...stopped}, reads);
  const {checks, isSlow} = await lab.try({...draft, limit: SHOWN_ROWS, all: true}, reads);
  if (tests.length === 0) return {checks, isSlow};
  const {rows} = await lab.try({...draft, keys: tests.map(test => test.input)}, reads);
  const results = new Map(rows.map(({input: key, items}) => [key, items]));
  return {checks: [...checks, checkFormulaTests(tests, results)], isSlow};
}

function checkFormulaTests(
  tests: readonly FormulaTest[],
  results: ReadonlyMap<string, unknown[]>,
): FormulaCheck {
  const broken = tests.filter(
    ({input, items}) => results.has(input) && !isDeepStrictEqual(results.get(input), items),
  );
  const missing = tests.filter(({input}) => !results.has(input)).length;
  const missingText = missing === 0 ? '' : `; ${missing} of their rows no longer exist`;
  return broken.length === 0
    ? {
        code: 'tests',
        holds: true,
        message: `${tests.length - missing} of ${tests.length} tests hold${missingText}`,
      }
    : {
        code: 'tests',
        holds: false,
        message: `${broken.length} of ${tests.length} tests do not hold: ${broken.map(({input}) => input).join(', ')}${missingText}`,
      };
}

export function describeStop({message, input = '', more}: DraftStopped): string {
  const others = more > 0 ? ` or one of the ${more} rows after it` : '';
  return `the formula was stopped: ${message}${input === '' ? '' : ` (at ${input}${others})`}`;
}

// A new revision is tried in the lab process before it goes live: over all rows, and over those that are held fast.
import {isDeepStrictEqual} from 'node:util';
import type {FormulaCheck, FormulaTest} from '@krtscope/shared/formulas.ts';
import type {DraftStopped, LabProcess} from '../../../engine/supervisor/lab-process.ts';
import type {FormulaCompilation} from './formula-compilation.ts';

/** Rejects with DraftStopped when it ended the lab process, with EngineFailure when it cannot be tried. */
export async function tryFormula(
  lab: LabProcess,
  name: string,
  {kind, input, compiled, reads}: FormulaCompilation,
  tests: readonly FormulaTest[] = [],
): Promise<FormulaCheck[]> {
  if (compiled === undefined) return [];
  const draft = {name, kind, compiled, ...(input === undefined ? {} : {input})};
  const {checks} = await lab.try({...draft, limit: 1, all: true}, reads);
  if (tests.length === 0) return checks;
  const {rows} = await lab.try({...draft, keys: tests.map(test => test.input)}, reads);
  return [...checks, checkFormulaTests(tests, new Map(rows.map(({input: key, items}) => [key, items])))];
}

function checkFormulaTests(
  tests: readonly FormulaTest[],
  given: ReadonlyMap<string, unknown[]>,
): FormulaCheck {
  const broken = tests.filter(
    ({input, items}) => given.has(input) && !isDeepStrictEqual(given.get(input), items),
  );
  const gone = tests.filter(({input}) => !given.has(input)).length;
  const away = gone === 0 ? '' : `; ${gone} of their rows are gone`;
  return broken.length === 0
    ? {code: 'tests', holds: true, message: `${tests.length - gone} of ${tests.length} tests hold${away}`}
    : {
        code: 'tests',
        holds: false,
        message: `${broken.length} of ${tests.length} tests do not hold: ${broken.map(({input}) => input).join(', ')}${away}`,
      };
}

export const describeStop = ({message, input}: DraftStopped) =>
  `the formula was ended: ${message}${input === undefined || input === '' ? '' : ` (at ${input})`}`;

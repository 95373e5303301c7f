// How formulas are refused: one failure for code that cannot be, with every place.
import {EngineFailure} from '../../engine/link/link.ts';
import {FormulaError, type Problem} from '../../formula/compile/problem.ts';

export function badFormula(errors: readonly Problem[]): EngineFailure {
  const [first] = errors;
  return new EngineFailure({
    code: 'bad-formula',
    message: first === undefined ? 'this is no formula' : `line ${first.line}: ${first.message}`,
    hint: 'docs/formulas.md says what a formula can be',
    errors: errors.map(({line, column, message}) => ({line, column, message})),
  });
}

/** Runs a compiler; what it refuses becomes a failure of the API. */
export async function compiling<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FormulaError) throw badFormula(error.problems);
    throw error;
  }
}

export function badQuery(message: string, hint: string): EngineFailure {
  return new EngineFailure({code: 'bad-query', message, hint});
}

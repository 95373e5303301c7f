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

export function taken(name: string): EngineFailure {
  return new EngineFailure({
    code: 'taken',
    message: `there is a collection ${name} already`,
    hint: 'take another name; case does not tell two names apart',
  });
}

export function inUse(name: string, readers: string[]): EngineFailure {
  return new EngineFailure({
    code: 'in-use',
    message: `${name} is read by ${readers.join(', ')}`,
    hint: 'change or delete those first',
    readers,
  });
}

export function outOfDate(message: string): EngineFailure {
  return new EngineFailure({code: 'out-of-date', message, hint: 'read it again, then save your change'});
}

export function unknownFormula(name: string): EngineFailure {
  return new EngineFailure({
    code: 'unknown-collection',
    message: `there is no formula "${name}"`,
    hint: 'GET /api/v1/formulas lists them',
  });
}

export function keptInCluster(name: string, place: string): EngineFailure {
  return new EngineFailure({
    code: 'kept-in-cluster',
    message: `${name} is kept in the cluster: ${place}`,
    hint: 'change it there, with kubectl edit or kubectl apply',
  });
}

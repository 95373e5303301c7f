// The API failures of formulas.
import {EngineFailure} from '../../engine/link/engine-link.ts';
import {type CodeProblem, FormulaError} from '../../formula/compile/code-problem.ts';

export function badFormulaFailure(errors: readonly CodeProblem[]): EngineFailure {
  const [first] = errors;
  return new EngineFailure({
    code: 'bad-formula',
    message: first === undefined ? 'this is not a formula' : `line ${first.line}: ${first.message}`,
    hint: 'docs/formulas.md describes formulas',
    errors: errors.map(({line, column, message}) => ({line, column, message})),
  });
}

/** Turns the errors of the compiler into API failures. */
export async function rethrowFormulaError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FormulaError) throw badFormulaFailure(error.problems);
    throw error;
  }
}

export function badQueryFailure(message: string, hint: string): EngineFailure {
  return new EngineFailure({code: 'bad-query', message, hint});
}

export function nameTakenFailure(name: string): EngineFailure {
  return new EngineFailure({
    code: 'taken',
    message: `a collection ${name} already exists`,
    hint: 'choose another name; names ignore case',
  });
}

export function inUseFailure(name: string, readers: string[]): EngineFailure {
  return new EngineFailure({
    code: 'in-use',
    message: `${name} is read by ${readers.join(', ')}`,
    hint: 'change or delete those first',
    readers,
  });
}

export function outOfDateFailure(message: string): EngineFailure {
  return new EngineFailure({code: 'out-of-date', message, hint: 'read it again, then save your change'});
}

export function unknownFormulaFailure(name: string): EngineFailure {
  return new EngineFailure({
    code: 'unknown-collection',
    message: `there is no formula "${name}"`,
    hint: 'GET /api/v1/formulas lists them',
  });
}

export function storedInClusterFailure(name: string, place: string): EngineFailure {
  return new EngineFailure({
    code: 'kept-in-cluster',
    message: `${name} is stored in the cluster: ${place}`,
    hint: 'change it there, with kubectl edit or kubectl apply',
  });
}

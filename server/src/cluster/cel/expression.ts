// One CEL expression, checked once and run many times.
import {ExpressionChecker, type VariableScope} from './checker.ts';
import type {Frame} from './evaluation.ts';
import {kubernetesFunctions} from './library/functions.ts';
import {CelSyntaxError, parseExpression, printError} from './syntax.ts';
import type {CelType} from './types.ts';

/** The expression cannot be used. The message lists every problem, as Kubernetes prints it. */
export class CelCompileError extends Error {
  /** What 1.36 has and this evaluator has not, if that is the only problem. */
  readonly missing: string | undefined;

  /** The step that failed. */
  readonly step: 'compilation' | 'program instantiation';

  constructor(
    message: string,
    missing?: string,
    step: 'compilation' | 'program instantiation' = 'compilation',
  ) {
    super(message);
    this.missing = missing;
    this.step = step;
  }
}

/** A `?` at the start of an item or key, which the parser does not know. */
const OPTIONAL_LITERAL = /[[{,]\s*\?/;

export interface CelExpression {
  readonly type: CelType;
  /** The variables that it reads. */
  readonly variables: ReadonlySet<string>;
  /** Throws CelError. */
  run(values: Readonly<Record<string, unknown>>): unknown;
}

export function compileExpression(
  text: string,
  variables: Readonly<Record<string, CelType>>,
  functions = kubernetesFunctions(),
): CelExpression {
  const checker = new ExpressionChecker(functions);
  let scope: VariableScope | undefined;
  for (const [name, type] of Object.entries(variables)) scope = {name, type, up: scope};
  try {
    const checked = checker.check(parseExpression(text), scope);
    const problems = checker.problems.length > 0 ? checker.problems : checker.late;
    if (problems.length > 0)
      throw new CelCompileError(
        problems
          .toSorted((a, b) => a.at - b.at)
          .map(({at, message}) => printError(text, at, message))
          .join('\n'),
      );
    if (checker.unusable !== undefined)
      throw new CelCompileError(checker.unusable, undefined, 'program instantiation');
    return {
      type: checked.type,
      variables: checker.used,
      run(values) {
        let frame: Frame | undefined;
        for (const [name, value] of Object.entries(values)) frame = {name, value, up: frame};
        return checked.run(frame);
      },
    };
  } catch (error) {
    if (error instanceof CelSyntaxError)
      throw new CelCompileError(
        printError(text, error.at, error.message),
        OPTIONAL_LITERAL.test(text.slice(Math.max(0, error.at - 20), error.at + 1)) && text[error.at] === '?'
          ? 'the syntax of optional items, [?a] and {?k: v}'
          : undefined,
      );
    throw error;
  }
}

// Problems found in code before it runs, each with its line and column.

export interface CodeProblem {
  /** Counted from 1, in the text as typed. */
  line: number;
  column: number;
  message: string;
}

/** Code that is not a valid formula. `problems` is never empty. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
  readonly problems: readonly CodeProblem[];

  constructor(problems: readonly CodeProblem[]) {
    const [first] = problems;
    super(first === undefined ? 'the formula cannot be read' : `line ${first.line}: ${first.message}`);
    this.problems = problems;
  }
}

/** The line and column of an offset. */
export function placeOf(code: string, offset: number): {line: number; column: number} {
  const before = code.slice(0, offset);
  const line = before.split('\n').length;
  return {line, column: offset - (before.lastIndexOf('\n') + 1) + 1};
}

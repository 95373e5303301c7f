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

/** The line starts of the last text: a compilation asks for many places of one text. */
let indexed: {code: string; starts: number[]} = {code: '', starts: [0]};

/** The line and column of an offset. */
export function placeOf(code: string, offset: number): {line: number; column: number} {
  if (indexed.code !== code) indexed = {code, starts: lineStartsOf(code)};
  const {starts} = indexed;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return {line: low + 1, column: offset - (starts[low] as number) + 1};
}

function lineStartsOf(code: string): number[] {
  const starts = [0];
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

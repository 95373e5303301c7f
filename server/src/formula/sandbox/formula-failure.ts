// How a run that goes wrong says so: one error with a sentence and its place, whatever was thrown.

/** The message ends in the line; `column` is one of the metered text. */
export class FormulaFailure extends Error {
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The sentence without the line. */
  readonly sentence: string;

  constructor(sentence: string, line?: number, column?: number) {
    super(line === undefined ? sentence : `${sentence} (line ${line})`);
    this.name = 'FormulaFailure';
    this.sentence = sentence;
    this.line = line;
    this.column = column;
  }
}

const MAX_CHARACTERS = 300;

/** Never throws, whatever the thrown thing does when it is looked at. */
export function failureOf(thrown: unknown, url: string): FormulaFailure {
  if (thrown instanceof FormulaFailure) return thrown;
  try {
    if (!(thrown instanceof Error))
      return new FormulaFailure(`the formula threw ${describeThrown(thrown)}, which is no error`);
    const {message, stack} = thrown;
    const [line, column] = placeIn(typeof stack === 'string' ? stack : '', url);
    const words =
      typeof message === 'string' && message !== '' ? message : 'the formula threw an error without words';
    return new FormulaFailure(truncate(toSentence(words)), line, column);
  } catch {
    return new FormulaFailure('the formula threw something that cannot be looked at');
  }
}

function toSentence(message: string): string {
  if (/Maximum call stack/.test(message)) return 'the formula calls itself too deeply';
  if (
    /Cannot assign to read only|object is not extensible|Cannot delete property|Cannot add property/.test(
      message,
    )
  )
    return `a formula cannot change what it was given or what is shared: ${message}`;
  return message;
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return JSON.stringify(truncate(thrown));
  if (typeof thrown === 'object' && thrown !== null) return Array.isArray(thrown) ? 'a list' : 'an object';
  return typeof thrown === 'symbol' || typeof thrown === 'function'
    ? `a ${typeof thrown}`
    : truncate(String(thrown));
}

const truncate = (text: string) =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;

function placeIn(stack: string, url: string): [number | undefined, number | undefined] {
  const at = stack.slice(0, 20_000).indexOf(`${url}:`);
  if (at < 0) return [undefined, undefined];
  const found = /^:(\d+):(\d+)/.exec(stack.slice(at + url.length, at + url.length + 24));
  // The text around the code is one line.
  return found === null ? [undefined, undefined] : [Number(found[1]) - 1, Number(found[2])];
}

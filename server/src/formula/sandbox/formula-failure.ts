// Turns anything that a run throws into one error with a message and its place.

/** The message ends with the line. `column` is a column of the metered text. */
export class FormulaFailure extends Error {
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The message without the line. */
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

/** Never throws, whatever the thrown value does when it is read. */
export function failureOf(thrown: unknown, url: string): FormulaFailure {
  if (thrown instanceof FormulaFailure) return thrown;
  try {
    if (!(thrown instanceof Error))
      return new FormulaFailure(`the formula threw ${describeThrown(thrown)}, which is not an Error`);
    const {message, stack} = thrown;
    const [line, column] = placeIn(typeof stack === 'string' ? stack : '', url);
    const words =
      typeof message === 'string' && message !== ''
        ? message
        : 'the formula threw an error without a message';
    return new FormulaFailure(truncate(toSentence(words)), line, column);
  } catch {
    return new FormulaFailure('the formula threw a value that cannot be read');
  }
}

/** The innermost place within the first lines of the text: behind them stand the helpers. */
export function callerPlace(error: unknown, url: string, lines: number): [number, number] | undefined {
  try {
    const {stack} = error as Error;
    const frames = (typeof stack === 'string' ? stack.slice(0, 20_000) : '').split(`${url}:`).slice(1);
    for (const frame of frames) {
      const [, line = '', column = ''] = /^(\d+):(\d+)/.exec(frame) ?? [];
      if (line !== '' && Number(line) - 1 <= lines) return [Number(line) - 1, Number(column)];
    }
  } catch {
    // The stack may be a getter of user code.
  }
  return undefined;
}

function toSentence(message: string): string {
  if (/Maximum call stack/.test(message)) return 'the formula calls itself too deeply';
  if (
    /Cannot assign to read only|object is not extensible|Cannot delete property|Cannot add property/.test(
      message,
    )
  )
    return `a formula cannot change its input or shared objects: ${message}`;
  return message;
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return JSON.stringify(truncate(thrown));
  if (typeof thrown === 'object' && thrown !== null) return Array.isArray(thrown) ? 'an array' : 'an object';
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

// Splits the typed code of a formula into the part that can stand inside a call and the text around it.
// A call cannot contain a final `;` or a hashbang, and readers of a file trim the space around an argument.
import {FormulaError, placeOf} from '../../../formula/compile/code-problem.ts';
import {runInCompileThread} from '../../../formula/compile/compile-thread.ts';
import {parseExpression} from '../../../formula/compile/syntax.ts';

export interface EmbeddedCode {
  readonly before: string;
  readonly core: string;
  readonly after: string;
  /** The core ends with a `//` comment, so that a line break has to follow. */
  readonly endsWithLineComment: boolean;
}

const MARKER = '// krtscope keeps the text around the code here: ';
const MARKER_AT_END = new RegExp(`(?:^|\\r?\\n)${MARKER}(\\[[^\\n\\r]*\\])\\s*$`);

/** Rejects with FormulaError if the code cannot be parsed. */
export async function splitCode(code: string): Promise<EmbeddedCode> {
  const stripped = await runInCompileThread({job: 'strip', code});
  const before = /^(?:\uFEFF?#![^\n\r\u2028\u2029]*)?\s*/.exec(code)?.[0] ?? '';
  const expression = parseExpression(stripped);
  const {semicolon, lineCommentEnds, complete} = scanTrivia(stripped, expression.end);
  if (!complete)
    throw new FormulaError([{...placeOf(code, expression.end), message: 'something follows the formula'}]);
  const core = code.slice(before.length, semicolon).trimEnd();
  const end = before.length + core.length;
  return {
    before,
    core,
    after: code.slice(end),
    endsWithLineComment: lineCommentEnds.some(([from, to]) => from < end && end <= to),
  };
}

/** The last line of a file, which keeps the text around the code; empty if there is none to keep. */
export function writeMarker({before, after}: Pick<EmbeddedCode, 'before' | 'after'>): string {
  if (before === '' && after === '') return '';
  const text = JSON.stringify([before, after]).replace(
    /[\u2028\u2029]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16)}`,
  );
  return `${MARKER}${text}\n`;
}

export function withoutMarker(file: string): string {
  const found = MARKER_AT_END.exec(file);
  return found === null ? file : `${file.slice(0, found.index)}\n`;
}

/** The text around the code in a file. Ignores a marker that would change the meaning of the code. */
export function readMarker(file: string): Pick<EmbeddedCode, 'before' | 'after'> {
  const nothing = {before: '', after: ''};
  const found = MARKER_AT_END.exec(file)?.[1];
  if (found === undefined) return nothing;
  try {
    const [before, after] = JSON.parse(found) as unknown[];
    if (typeof before !== 'string' || typeof after !== 'string') return nothing;
    const harmless = /^(?:\uFEFF?#![^\n\r\u2028\u2029]*)?\s*$/.test(before) && scanTrivia(after, 0).complete;
    return harmless ? {before, after} : nothing;
  } catch {
    return nothing;
  }
}

/** Walks over blanks, comments and semicolons. */
function scanTrivia(
  text: string,
  from: number,
): {semicolon: number; lineCommentEnds: [number, number][]; complete: boolean} {
  const trivia = /\s+|(\/\/[^\n\r\u2028\u2029]*)|\/\*[\s\S]*?\*\/|(;)/y;
  const lineCommentEnds: [number, number][] = [];
  let semicolon = text.length;
  trivia.lastIndex = from;
  let end = from;
  for (let found = trivia.exec(text); found !== null; found = trivia.exec(text)) {
    end = trivia.lastIndex;
    if (found[1] !== undefined) lineCommentEnds.push([found.index, end]);
    if (found[2] !== undefined) semicolon = Math.min(semicolon, found.index);
  }
  return {semicolon, lineCommentEnds, complete: end === text.length};
}

// Turns TypeScript into JavaScript. Types become blanks, so that lines and columns stay the same.
// Runs in the compile thread only: deeply nested text overflows the native stripper's stack and breaks its thread for good.
import {stripTypeScriptTypes} from 'node:module';
import {type CodeProblem, FormulaError} from './code-problem.ts';

/** Makes the code a value: a function statement would need a name. */
const EXPRESSION_PREFIX = '_=';

/** The thread cannot strip anything any more. */
export class StripperBroken extends Error {}

/** Strips one expression. Throws FormulaError or StripperBroken. */
export function stripExpression(code: string): string {
  try {
    return strip(EXPRESSION_PREFIX + blankHashbang(code)).slice(EXPRESSION_PREFIX.length);
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    throw new FormulaError(
      error.problems.map(({line, column, message}) => ({
        line,
        column: line === 1 ? Math.max(1, column - EXPRESSION_PREFIX.length) : column,
        message,
      })),
    );
  }
}

/** Strips a whole module. Throws FormulaError or StripperBroken. */
export function stripModule(code: string): string {
  return strip(code);
}

/** A hashbang is valid only at the start of a file. */
const blankHashbang = (code: string) =>
  code.replace(/^\uFEFF?#![^\n\r\u2028\u2029]*/, line => ' '.repeat(line.length));

function strip(code: string): string {
  try {
    return stripTypeScriptTypes(code, {mode: 'strip'});
  } catch (error) {
    const {code: reason, message, stack = ''} = error as Error & {code?: string};
    if (reason?.includes('TYPESCRIPT') !== true) throw new StripperBroken();
    throw new FormulaError([problemOf(message, stack)]);
  }
}

// The place is only in the stack: ":line", the line itself, and carets below it.
function problemOf(message: string, stack: string): CodeProblem {
  const line = Number(/^[^\n]*?:(\d+)\n/.exec(stack)?.[1] ?? 1);
  const carets = stack.split('\n').find(text => /^\s*\^+\s*$/.test(text));
  const [first = ''] = message.split('\n');
  // Users see this message while they type, right after a dot.
  const sentence = first === 'Expected ident' ? 'a name is expected here' : first;
  return {
    line,
    column: carets === undefined ? 1 : carets.indexOf('^') + 1,
    message: sentence.length > 200 ? `${sentence.slice(0, 200)}…` : sentence,
  };
}

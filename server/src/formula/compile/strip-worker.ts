// The thread that strips types. Deeply nested text overflows the native stripper's stack and breaks the thread for
// good. type-stripper.ts starts another thread then.
import {stripTypeScriptTypes} from 'node:module';
import {parentPort} from 'node:worker_threads';
import type {CodeProblem} from './code-problem.ts';

export interface ToStripper {
  id: number;
  code: string;
}

export type FromStripper = {id: number} & ({text: string} | {problem: CodeProblem} | {broken: true});

// Node warns that this function may change. krtscope pins its Node version.
process.emitWarning = () => {};

parentPort?.on('message', ({id, code}: ToStripper) => {
  parentPort?.postMessage({id, ...strip(code)});
});

function strip(code: string): {text: string} | {problem: CodeProblem} | {broken: true} {
  try {
    return {text: stripTypeScriptTypes(code, {mode: 'strip'})};
  } catch (error) {
    const {code: reason, message, stack = ''} = error as Error & {code?: string};
    if (reason?.includes('TYPESCRIPT') !== true) return {broken: true};
    return {problem: problemOf(message, stack)};
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

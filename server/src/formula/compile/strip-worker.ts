// The thread in which types are stripped: what strips them is compiled code with a stack of its own, and a text nested
// deeply enough breaks it for as long as its thread lives (seen). run-history.ts starts another thread then.
import {stripTypeScriptTypes} from 'node:module';
import {parentPort} from 'node:worker_threads';
import type {CodeProblem} from './code-problem.ts';

export interface ToStripper {
  id: number;
  code: string;
}

export type FromStripper = {id: number} & ({text: string} | {problem: CodeProblem} | {broken: true});

// Node says once that this function may change; we hold the version of Node ourselves.
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

// The place stands in the stack alone: ":line", the line itself, and carets under it.
function problemOf(message: string, stack: string): CodeProblem {
  const line = Number(/^[^\n]*?:(\d+)\n/.exec(stack)?.[1] ?? 1);
  const carets = stack.split('\n').find(text => /^\s*\^+\s*$/.test(text));
  const [said = ''] = message.split('\n');
  // What somebody sees who has typed a dot and thinks.
  const sentence = said === 'Expected ident' ? 'a name is expected here' : said;
  return {
    line,
    column: carets === undefined ? 1 : carets.indexOf('^') + 1,
    message: sentence.length > 200 ? `${sentence.slice(0, 200)}…` : sentence,
  };
}

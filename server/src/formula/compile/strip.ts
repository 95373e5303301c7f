// TypeScript to JavaScript: types become blanks, so that every line and column stays where it was typed.
import {extname} from 'node:path';
import {Worker} from 'node:worker_threads';
import {FormulaError, type Problem} from './problem.ts';
import type {FromStripper, ToStripper} from './strip-worker.ts';

/** As a value: a function that stands alone would need a name. */
const LEAD = '_=';
/** No text of the length that is taken needs longer, on any machine. */
const PATIENCE_MS = 3000;

/** Of one expression. Rejects with FormulaError. */
export async function stripTypes(code: string): Promise<string> {
  const answer = await ask(LEAD + code);
  if ('text' in answer) return answer.text.slice(LEAD.length);
  const {line, column, message} = problemOf(answer);
  throw new FormulaError([{line, column: line === 1 ? Math.max(1, column - LEAD.length) : column, message}]);
}

/** Of a whole module. Rejects with FormulaError. */
export async function stripModuleTypes(code: string): Promise<string> {
  const answer = await ask(code);
  if ('text' in answer) return answer.text;
  throw new FormulaError([problemOf(answer)]);
}

function problemOf(answer: FromStripper): Problem {
  if ('problem' in answer) return answer.problem;
  return {line: 1, column: 1, message: 'the code is nested too deeply to be read; split it up'};
}

const waiting = new Map<number, (answer: FromStripper) => void>();
let worker: Worker | undefined;
let ids = 0;

function ask(code: string): Promise<FromStripper> {
  return new Promise(resolve => {
    ids += 1;
    const id = ids;
    const late = setTimeout(() => give({id, broken: true}), PATIENCE_MS);
    waiting.set(id, answer => {
      clearTimeout(late);
      resolve(answer);
    });
    worker ??= start();
    worker.postMessage({id, code} satisfies ToStripper);
  });
}

function start(): Worker {
  const own = new Worker(new URL(`./strip-worker${extname(import.meta.url)}`, import.meta.url), {
    env: {},
    stdin: false,
  });
  own.on('message', give);
  own.on('error', () => renew(own));
  // It must not keep the process alive.
  own.unref();
  return own;
}

function give(answer: FromStripper): void {
  const resolve = waiting.get(answer.id);
  waiting.delete(answer.id);
  if ('broken' in answer && worker !== undefined) renew(worker);
  resolve?.(answer);
}

// What the others asked is asked of nobody any more: they are told so at once and ask again.
function renew(old: Worker): void {
  if (worker === old) worker = undefined;
  old.removeAllListeners();
  old.on('error', () => {});
  void old.terminate();
  for (const id of [...waiting.keys()]) give({id, broken: true});
}

// TypeScript to JavaScript: types become blanks, so that every line and column stays where it was typed.
import {extname} from 'node:path';
import {Worker} from 'node:worker_threads';
import {type CodeProblem, FormulaError} from './code-problem.ts';
import type {FromStripper, ToStripper} from './strip-worker.ts';

/** As a value: a function that stands alone would need a name. */
const EXPRESSION_PREFIX = '_=';
/** No text of the length that is taken needs longer, on any machine. */
const STRIP_TIMEOUT_MS = 3000;

/** Of one expression. Rejects with FormulaError. */
export async function stripTypes(code: string): Promise<string> {
  const answer = await requestStrip(EXPRESSION_PREFIX + code);
  if ('text' in answer) return answer.text.slice(EXPRESSION_PREFIX.length);
  const {line, column, message} = problemOf(answer);
  throw new FormulaError([
    {line, column: line === 1 ? Math.max(1, column - EXPRESSION_PREFIX.length) : column, message},
  ]);
}

/** Of a whole module. Rejects with FormulaError. */
export async function stripModuleTypes(code: string): Promise<string> {
  const answer = await requestStrip(code);
  if ('text' in answer) return answer.text;
  throw new FormulaError([problemOf(answer)]);
}

function problemOf(answer: FromStripper): CodeProblem {
  if ('problem' in answer) return answer.problem;
  return {line: 1, column: 1, message: 'the code is nested too deeply to be read; split it up'};
}

interface StripRequest {
  readonly code: string;
  readonly resolve: (answer: FromStripper) => void;
  late?: NodeJS.Timeout;
}

/** In the order in which they are read: one at a time. */
const waiting = new Map<number, StripRequest>();
let worker: Worker | undefined;
let ids = 0;

function requestStrip(code: string): Promise<FromStripper> {
  return new Promise(resolve => {
    ids += 1;
    const asked: StripRequest = {code, resolve};
    waiting.set(ids, asked);
    sendRequest(ids, asked);
  });
}

function sendRequest(id: number, asked: StripRequest): void {
  clearTimeout(asked.late);
  asked.late = setTimeout(() => replaceWorker(), STRIP_TIMEOUT_MS);
  worker ??= startWorker();
  worker.postMessage({id, code: asked.code} satisfies ToStripper);
}

function startWorker(): Worker {
  const own = new Worker(new URL(`./strip-worker${extname(import.meta.url)}`, import.meta.url), {
    env: {},
    stdin: false,
  });
  own.on('message', (answer: FromStripper) => {
    if ('broken' in answer) replaceWorker(answer.id);
    else settleRequest(answer);
  });
  own.on('error', () => replaceWorker());
  // It must not keep the process alive.
  own.unref();
  return own;
}

function settleRequest(answer: FromStripper): void {
  const asked = waiting.get(answer.id);
  waiting.delete(answer.id);
  clearTimeout(asked?.late);
  asked?.resolve(answer);
}

/** The thread is of no use any more, by this text or the one that is being read; the others are read by another thread. */
function replaceWorker(id = waiting.keys().next().value): void {
  const old = worker;
  worker = undefined;
  old?.removeAllListeners();
  old?.on('error', () => {});
  void old?.terminate();
  if (id !== undefined) settleRequest({id, broken: true});
  for (const [other, asked] of waiting) sendRequest(other, asked);
}

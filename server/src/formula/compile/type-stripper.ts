// Turns TypeScript into JavaScript. Types become blanks, so that lines and columns stay the same.
import {extname} from 'node:path';
import {Worker} from 'node:worker_threads';
import {type CodeProblem, FormulaError} from './code-problem.ts';
import type {FromStripper, ToStripper} from './strip-worker.ts';

/** Makes the code a value: a function statement would need a name. */
const EXPRESSION_PREFIX = '_=';
/** Every valid text takes less time than this, on any machine. */
const STRIP_TIMEOUT_MS = 3000;

/** Strips one expression. Rejects with FormulaError. */
export async function stripTypes(code: string): Promise<string> {
  const answer = await requestStrip(EXPRESSION_PREFIX + blankHashbang(code));
  if ('text' in answer) return answer.text.slice(EXPRESSION_PREFIX.length);
  const {line, column, message} = problemOf(answer);
  throw new FormulaError([
    {line, column: line === 1 ? Math.max(1, column - EXPRESSION_PREFIX.length) : column, message},
  ]);
}

/** A hashbang is valid only at the start of a file. */
const blankHashbang = (code: string) =>
  code.replace(/^\uFEFF?#![^\n\r\u2028\u2029]*/, line => ' '.repeat(line.length));

/** Strips a whole module. Rejects with FormulaError. */
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

/** Requests in the order of their processing, one at a time. */
const waiting = new Map<number, StripRequest>();
let worker: Worker | undefined;
let ids = 0;

function requestStrip(code: string): Promise<FromStripper> {
  return new Promise(resolve => {
    ids += 1;
    const request: StripRequest = {code, resolve};
    waiting.set(ids, request);
    sendRequest(ids, request);
  });
}

function sendRequest(id: number, request: StripRequest): void {
  clearTimeout(request.late);
  request.late = setTimeout(() => replaceWorker(), STRIP_TIMEOUT_MS);
  worker ??= startWorker();
  worker.postMessage({id, code: request.code} satisfies ToStripper);
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
  // The thread must not keep the process alive.
  own.unref();
  return own;
}

function settleRequest(answer: FromStripper): void {
  const request = waiting.get(answer.id);
  waiting.delete(answer.id);
  clearTimeout(request?.late);
  request?.resolve(answer);
}

/** Replaces the thread, which this text or the current one broke. The other requests go to the new thread. */
function replaceWorker(id = waiting.keys().next().value): void {
  const old = worker;
  worker = undefined;
  old?.removeAllListeners();
  old?.on('error', () => {});
  void old?.terminate();
  if (id !== undefined) settleRequest({id, broken: true});
  for (const [other, request] of waiting) sendRequest(other, request);
}

// Runs compile jobs in a thread, one at a time, within a time limit.
import {extname} from 'node:path';
import {Worker} from 'node:worker_threads';
import {FormulaError} from './code-problem.ts';
import type {CompileJob, CompileResults, FromCompileThread} from './compile-worker.ts';

/** Every valid text takes far less time than this, even on a busy machine. */
const TIMEOUT_MS = 5000;

interface PendingJob {
  readonly job: CompileJob;
  readonly settle: (answer: FromCompileThread) => void;
}

const queue: PendingJob[] = [];
let active: PendingJob | undefined;
let worker: Worker | undefined;
let ready = false;
let timer: NodeJS.Timeout | undefined;

/** Rejects with FormulaError. */
export function runInCompileThread<J extends CompileJob>(job: J): Promise<CompileResults[J['job']]> {
  return new Promise((resolve, reject) => {
    queue.push({
      job,
      settle: answer => {
        if ('result' in answer) resolve(answer.result as CompileResults[J['job']]);
        else if ('problems' in answer) reject(new FormulaError(answer.problems));
        else reject(new Error('fault' in answer ? answer.fault : 'the compile thread gave no answer'));
      },
    });
    sendNext();
  });
}

function sendNext(): void {
  if (active !== undefined || queue.length === 0) return;
  worker ??= startWorker();
  if (!ready) return;
  active = queue.shift() as PendingJob;
  timer = setTimeout(() => {
    replaceWorker();
    settle({problems: [{line: 1, column: 1, message: 'the code takes too long to compile; split it up'}]});
  }, TIMEOUT_MS);
  worker.postMessage(active.job);
}

function settle(answer: FromCompileThread): void {
  clearTimeout(timer);
  const settled = active;
  active = undefined;
  settled?.settle(answer);
  sendNext();
}

function startWorker(): Worker {
  ready = false;
  const own = new Worker(new URL(`./compile-worker${extname(import.meta.url)}`, import.meta.url), {
    env: {},
    stdin: false,
    resourceLimits: {stackSizeMb: 8},
  });
  own.on('message', (answer: FromCompileThread) => {
    if ('ready' in answer) {
      ready = true;
      sendNext();
      return;
    }
    if ('problems' in answer && answer.broken === true) replaceWorker();
    settle(answer);
  });
  own.on('error', (error: Error) => {
    replaceWorker();
    // A thread that cannot start fails the first job. The next job starts another thread.
    active ??= queue.shift();
    settle({fault: `the compile thread ended: ${error.message}`});
  });
  // The thread must not keep the process alive.
  own.unref();
  return own;
}

function replaceWorker(): void {
  const old = worker;
  worker = undefined;
  ready = false;
  old?.removeAllListeners();
  old?.on('error', () => {});
  void old?.terminate();
}

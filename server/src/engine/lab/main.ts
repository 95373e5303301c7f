// The entry point of the lab process: the sandbox of an engine process, with drafts instead of a graph.

import {removeBuiltins} from '../host/sandbox/remove-builtins.ts';
import {stripProcess} from '../host/sandbox/strip-process.ts';
import type {FromLab, ToLab} from '../link/lab-messages.ts';
import type {TrialProgress} from './draft-trial.ts';

const exit = stripProcess();
// Import this after stripProcess() and before everything else: no later code may run in a language that can still
// change.
await import('../../formula/sandbox/lockdown.ts');
const {shortenStackTraces} = await import('../../formula/sandbox/stack-traces.ts');
shortenStackTraces();
const {createEngine} = await import('../../krt/index.ts');
const {RowCopies} = await import('./row-copies.ts');
const {tryDraft} = await import('./draft-trial.ts');
const {tryModule} = await import('./module-trial.ts');
// All modules are loaded.
removeBuiltins();

function send(message: FromLab): void {
  // Without a callback, a channel that main just closed would raise an error and print a stack.
  if (process.connected) process.send?.(message, () => {});
}

const clock = {now: () => performance.timeOrigin + performance.now(), after: () => () => {}};
const copies = new RowCopies(createEngine({clock, checks: 'off'}));

function answerTrial(id: number, tried: (progress: TrialProgress) => unknown): void {
  try {
    const progress = {running: (input: string, more: number) => send({type: 'running', id, input, more})};
    send({type: 'tried', id, answer: JSON.stringify(tried(progress))});
  } catch (error) {
    send({type: 'failed', id, message: error instanceof Error ? error.message : String(error)});
  }
}

process.on('message', message => {
  const toLab = message as ToLab;
  switch (toLab.type) {
    case 'rows':
      copies.take(toLab);
      return;
    case 'drop':
      copies.drop(toLab.collection);
      return;
    case 'try':
      answerTrial(toLab.id, progress => tryDraft(copies, toLab.draft, progress));
      return;
    case 'try-module':
      answerTrial(toLab.id, progress => tryModule(copies, toLab.module, progress));
  }
});
process.on('uncaughtException', () => exit(1));
process.on('disconnect', () => exit(0));
if (!process.connected) exit(0);
send({type: 'ready'});

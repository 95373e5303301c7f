// The entry point of a slow formula's process: the sandbox of an engine process, with one formula.
import {removeBuiltins} from '../host/sandbox/remove-builtins.ts';
import {stripProcess} from '../host/sandbox/strip-process.ts';
import type {FromSlowProcess, ToSlowProcess} from '../link/slow-lane-messages.ts';

const exit = stripProcess();
// Import this after stripProcess() and before everything else: no later code may run in a language that can still
// change.
await import('../../formula/sandbox/lockdown.ts');
const {shortenStackTraces} = await import('../../formula/sandbox/stack-traces.ts');
shortenStackTraces();
const {SlowFormula} = await import('./slow-formula.ts');
// All modules are loaded.
removeBuiltins();

function send(message: FromSlowProcess): void {
  if (process.connected) process.send?.(message);
}

const formula = new SlowFormula(send);
process.on('message', message => formula.take(message as ToSlowProcess));
process.on('uncaughtException', () => exit(1));
process.on('disconnect', () => exit(0));
if (!process.connected) exit(0);
send({type: 'ready'});

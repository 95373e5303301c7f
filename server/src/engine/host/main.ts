// The entry point of the engine process: gives up its privileges, then serves main until the channel closes.
import type {FromHost, ToHost} from '../link/host-messages.ts';
import {removeBuiltins} from './sandbox/remove-builtins.ts';
import {stripProcess} from './sandbox/strip-process.ts';

const exit = stripProcess();
// Import this after stripProcess() and before everything else: no later code may run in a language that can still
// change.
await import('../../formula/sandbox/lockdown.ts');
const {shortenStackTraces} = await import('../../formula/sandbox/stack-traces.ts');
shortenStackTraces();
const {Host} = await import('./host.ts');
// All modules are loaded.
removeBuiltins();

function send(message: FromHost): void {
  // Main may be gone already. The `disconnect` event then ends this process.
  // Without a callback, a channel that main just closed would raise an error and print a stack.
  if (process.connected) process.send?.(message, () => {});
}

const host = new Host(send, error => {
  // Half a batch may be applied. A new process with replayed objects is better than this one.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.send?.({type: 'broken', message: text}, () => exit(1));
});
// An error in a timer or an event that a formula left behind must not affect the batches.
process.on('uncaughtException', error => send({type: 'broken', message: error.stack ?? error.message}));
process.on('message', message => host.take(message as ToHost));
process.on('disconnect', () => exit(0));
if (!process.connected) exit(0);

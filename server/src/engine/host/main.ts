// The engine process's first file: gives up what it must not have, then serves main until the channel closes.
import type {FromHost, ToHost} from '../link/host-messages.ts';
import {removeBuiltins} from './sandbox/remove-builtins.ts';
import {stripProcess} from './sandbox/strip-process.ts';

const exit = stripProcess();
// After confine(), before anything else: nothing below may run in a language that can still be changed.
await import('../../formula/sandbox/lockdown.ts');
const {shortenStackTraces} = await import('../../formula/sandbox/stack-traces.ts');
shortenStackTraces();
const {Host} = await import('./host.ts');
// All that is needed is loaded.
removeBuiltins();

function send(message: FromHost): void {
  // Main may be gone already; `disconnect` ends this process then.
  if (process.connected) process.send?.(message);
}

const host = new Host(send, error => {
  // Half a batch may be in: a new process with everything taken in again is better than this one.
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.send?.({type: 'broken', message: said}, () => exit(1));
});
// What a formula left behind in a timer or an event fails on its own; the batches are none of its business.
process.on('uncaughtException', error => send({type: 'broken', message: error.stack ?? error.message}));
process.on('message', message => host.take(message as ToHost));
process.on('disconnect', () => exit(0));
if (!process.connected) exit(0);

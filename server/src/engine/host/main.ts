// The engine process's first file: gives up what it must not have, then serves main until the channel closes.
import type {FromHost, ToHost} from '../link/messages.ts';
import {confine} from './confine.ts';

const exit = confine();
// After confine(): nothing below may run with what it takes away.
const {Host} = await import('./host.ts');

const host = new Host((message: FromHost) => {
  // Main may be gone already; `disconnect` ends this process then.
  if (process.connected) process.send?.(message);
});
process.on('message', message => host.take(message as ToHost));
process.on('disconnect', exit);
if (!process.connected) exit();

// A word to a child process that may have died a moment ago.
import type {ChildProcess, Serializable} from 'node:child_process';

/** Says it if there is anybody to hear it; that nobody is any more is told by its exit. */
export function sendTo(child: ChildProcess, message: object): void {
  // One that has just died looks connected for a moment: a write that fails, and tells nobody in particular, would be an
  // error event, and the second of those the end of main.
  if (child.connected) child.send(message as Serializable, () => {});
}

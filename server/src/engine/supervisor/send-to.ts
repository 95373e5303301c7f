// Sends a message to a child process that may just have died.
import type {ChildProcess, Serializable} from 'node:child_process';

/** Drops the message if the child is gone: its exit event tells the rest. */
export function sendTo(child: ChildProcess, message: object): void {
  // A dead child looks connected for a moment. Without a callback, a failed write would raise an error event and end
  // main.
  if (child.connected) child.send(message as Serializable, () => {});
}

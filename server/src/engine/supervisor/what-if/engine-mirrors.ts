// The copies that follow an engine process: each gets the same changes and commands.
import type {EngineMirror} from '../../link/engine-link.ts';
import type {ToHost} from '../../link/host-messages.ts';

export class EngineMirrors {
  readonly #listeners = new Set<(message: ToHost) => void>();
  #ids = 0;

  /** `first` are the messages up to now. */
  add(first: Iterable<ToHost>, onMessage: (message: ToHost) => void): EngineMirror {
    const own = (message: ToHost) => onMessage(message);
    this.#listeners.add(own);
    return {first, stop: () => this.#listeners.delete(own)};
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Passes on a message that the engine process got. */
  pass(message: ToHost): void {
    if (this.#listeners.size === 0) return;
    if (message.type !== 'apply' && message.type !== 'command') return;
    for (const listener of [...this.#listeners]) listener(message);
  }

  /** Passes on a command that the engine process obeyed. */
  passCommand(command: Extract<ToHost, {type: 'command'}>['command']): void {
    this.#ids += 1;
    this.pass({type: 'command', id: this.#ids, command});
  }
}

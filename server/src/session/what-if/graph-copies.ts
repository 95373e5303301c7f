// The copy of a session's graph: at most one, built on demand and given back after a minute without use.
import type {EngineHandle, EngineMirror} from '../../engine/link/engine-link.ts';
import {GraphCopy} from '../../engine/supervisor/what-if/graph-copy.ts';
import {momentMessages} from './moment-messages.ts';

const IDLE_MS = 60_000;

export interface GraphCopiesOptions {
  readonly engine: EngineHandle;
  readonly name: string;
  readonly memoryMb: number;
  /** Whether the session is a file, which has no changes to follow. */
  readonly isRecording: boolean;
  readonly trustsFormulas: boolean;
  readonly idleMs?: number | undefined;
  log(message: string): void;
}

interface CurrentCopy {
  readonly copy: GraphCopy;
  /** The moment of the copy. Undefined follows the session. */
  readonly at: number | undefined;
  readonly mirror: EngineMirror | undefined;
}

export class GraphCopies {
  readonly #options: GraphCopiesOptions;
  #current: CurrentCopy | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: GraphCopiesOptions) {
    this.#options = options;
  }

  /** The process of the copy, for tests. */
  get pid(): number | undefined {
    return this.#current?.copy.pid;
  }

  /** Calls `use` with the copy of that moment. The copy stays for a while afterwards. */
  async use<R>(at: number | undefined, use: (copy: GraphCopy) => Promise<R>): Promise<R> {
    clearTimeout(this.#idle);
    const {copy} = await this.#copyAt(at);
    try {
      return await use(copy);
    } finally {
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => void this.drop(), this.#options.idleMs ?? IDLE_MS);
      this.#idle.unref();
    }
  }

  /** Ends the copy. The next use builds another. */
  async drop(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    clearTimeout(this.#idle);
    current?.mirror?.stop();
    await current?.copy.stop();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.drop();
  }

  async #copyAt(at: number | undefined): Promise<CurrentCopy> {
    const current = this.#current;
    if (current !== undefined && current.at === at && !current.copy.isEnded) return current;
    // Two copies at once would take twice the memory.
    await this.drop();
    const made = this.#build(at);
    this.#current = made;
    if (this.#isStopped) await this.drop();
    return made;
  }

  #build(at: number | undefined): CurrentCopy {
    const {engine, name, memoryMb, isRecording, trustsFormulas, log} = this.#options;
    const onEnd = (reason: string) => {
      log(`the copy of the graph for What if ended: ${reason}`);
      if (this.#current?.copy === made.copy) {
        this.#current.mirror?.stop();
        this.#current = undefined;
      }
    };
    const follows = at === undefined && !isRecording;
    const mirror = follows ? engine.mirror(message => made.copy.follow(message)) : undefined;
    const messages =
      mirror?.first ??
      momentMessages({link: engine, at, name, trustsFormulas: trustsFormulas || !isRecording});
    const made: CurrentCopy = {copy: new GraphCopy({memoryMb, messages, onEnd}), at, mirror};
    return made;
  }
}

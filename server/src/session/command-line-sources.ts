// The kinds that `--source` names: asked for again until each is a source, because a CRD or the cluster may come later.
import type {EngineFailure} from '../engine/link/engine-link.ts';

export interface CommandLineSourcesOptions {
  add(text: string): Promise<unknown>;
  log(problem: string): void;
}

export class CommandLineSources {
  readonly #options: CommandLineSourcesOptions;
  #wanted: string[];
  #adding = false;
  /** Of these it has been said that they are not there. */
  readonly #reportedMissing = new Set<string>();

  constructor(wanted: readonly string[], options: CommandLineSourcesOptions) {
    this.#options = options;
    this.#wanted = [...new Set(wanted)];
  }

  get areAllAdded(): boolean {
    return this.#wanted.length === 0;
  }

  retry(): void {
    if (this.#adding || this.areAllAdded) return;
    this.#adding = true;
    void this.#addAll().finally(() => {
      this.#adding = false;
    });
  }

  async #addAll(): Promise<void> {
    const {add, log} = this.#options;
    for (const text of [...this.#wanted]) {
      try {
        await add(text);
      } catch (error) {
        const {code, message} = error as EngineFailure;
        if (code === 'not-found') {
          if (!this.#reportedMissing.has(text))
            log(`--source ${text}: ${message}; it is added when it comes`);
          this.#reportedMissing.add(text);
          continue;
        }
        if (code !== 'taken') {
          log(`--source ${text}: ${message}`);
          // The engine process or the cluster is away: the next word from it tries again.
          if (code === 'engine-restarting' || code === 'cluster-unreachable') continue;
        }
      }
      this.#wanted = this.#wanted.filter(other => other !== text);
    }
  }
}

// The kinds that `--source` names: asked for again until each is a source, because a CRD or the cluster may come later.
import type {EngineFailure} from '../engine/link/link.ts';

export interface FlaggedSourcesOptions {
  add(text: string): Promise<unknown>;
  log(problem: string): void;
}

export class FlaggedSources {
  readonly #options: FlaggedSourcesOptions;
  #wanted: string[];
  #looking = false;
  /** Of these it has been said that they are not there. */
  readonly #missed = new Set<string>();

  constructor(wanted: readonly string[], options: FlaggedSourcesOptions) {
    this.#options = options;
    this.#wanted = [...new Set(wanted)];
  }

  get areAllThere(): boolean {
    return this.#wanted.length === 0;
  }

  look(): void {
    if (this.#looking || this.areAllThere) return;
    this.#looking = true;
    void this.#addAll().finally(() => {
      this.#looking = false;
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
          if (!this.#missed.has(text)) log(`--source ${text}: ${message}; it is added when it comes`);
          this.#missed.add(text);
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

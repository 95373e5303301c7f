// Adds the kinds of `--source`. Tries again until each is a source, because a CRD or the cluster may come later.
import type {EngineFailure} from '../engine/link/engine-link.ts';

export interface CommandLineSourcesOptions {
  add(text: string): Promise<unknown>;
  log(problem: string): void;
}

export class CommandLineSources {
  readonly #options: CommandLineSourcesOptions;
  #pending: string[];
  #adding = false;
  /** Kinds that were already reported as missing. */
  readonly #reportedMissing = new Set<string>();

  constructor(wanted: readonly string[], options: CommandLineSourcesOptions) {
    this.#options = options;
    this.#pending = [...new Set(wanted)];
  }

  get areAllAdded(): boolean {
    return this.#pending.length === 0;
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
    for (const text of [...this.#pending]) {
      try {
        await add(text);
      } catch (error) {
        const {code, message} = error as EngineFailure;
        if (code === 'not-found') {
          if (!this.#reportedMissing.has(text))
            log(`--source ${text}: ${message}; krtscope adds it once it exists`);
          this.#reportedMissing.add(text);
          continue;
        }
        if (code !== 'taken') {
          log(`--source ${text}: ${message}`);
          // The engine process or the cluster is away. The next message from it tries again.
          if (code === 'engine-restarting' || code === 'cluster-unreachable') continue;
        }
      }
      this.#pending = this.#pending.filter(other => other !== text);
    }
  }
}

// Every build of a graph module with its texts and batches, so that a moment, a restart and a file know a module's
// texts at that time.
import type {ModuleFile} from '@krtscope/shared/formulas.ts';
import type {CompiledCode} from '../../link/lab-messages.ts';

/** The texts of a module, and the collections it made. */
export interface ModuleText {
  readonly name: string;
  readonly hash: string;
  readonly files: readonly ModuleFile[];
  readonly collections: readonly string[];
  /** The collections of its sources, by the module's names for them. */
  readonly sources?: Readonly<Record<string, string>>;
}

/** Includes the code to repeat runs. A file has only the texts. */
export interface ModuleBuild extends ModuleText {
  readonly compiled?: CompiledCode | undefined;
}

interface StoredModuleBuild extends ModuleBuild {
  /** The first batch that could have run it. */
  from: number;
  /** The last batch; undefined while it runs. */
  to?: number;
}

/** The form in which a file and main store it, as JSON. */
export type StoredModuleBuilds = readonly StoredModuleBuild[];

export class ModuleHistory {
  #builds: StoredModuleBuild[] = [];

  /**
   * Sets the modules that run from batch `from` on. Returns false if nothing changed. Forgets what ended before
   * `oldest`.
   */
  update(running: readonly ModuleBuild[], from: number, oldest: number): boolean {
    let changed = false;
    for (const build of this.#builds) {
      if (build.to !== undefined || running.some(one => isSameBuild(one, build))) continue;
      build.to = from - 1;
      changed = true;
    }
    for (const one of running) {
      if (this.#builds.some(build => build.to === undefined && isSameBuild(build, one))) continue;
      this.#builds.push({...one, from});
      changed = true;
    }
    if (changed) this.#builds = this.#builds.filter(({to = Infinity}) => to >= oldest);
    return changed;
  }

  /** The modules at a moment, by name. */
  at(sequence = Infinity): ModuleText[] {
    return this.#buildsAt(sequence)
      .map(({name, hash, files, collections, sources}) => ({
        name,
        hash,
        files,
        collections,
        ...(sources === undefined ? {} : {sources}),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The build with this name that ran at a moment. */
  build(name: string, sequence: number): ModuleBuild | undefined {
    return this.#buildsAt(sequence).find(build => build.name === name);
  }

  #buildsAt(sequence: number): StoredModuleBuild[] {
    const last = Math.min(sequence, Number.MAX_SAFE_INTEGER);
    return this.#builds.filter(({from, to = Infinity}) => from <= last && last <= to);
  }

  write(): StoredModuleBuilds {
    return this.#builds;
  }

  static read(written: StoredModuleBuilds): ModuleHistory {
    const texts = new ModuleHistory();
    texts.#builds = written.map(build => ({...build}));
    return texts;
  }

  /** Puts an earlier process's builds below this one's. `replay` is the batch that replayed all objects. */
  restore(written: StoredModuleBuilds, replay: number): void {
    const now = this.#builds;
    this.#builds = [];
    for (const earlier of written) {
      const same = earlier.to === undefined ? now.find(build => isSameBuild(build, earlier)) : undefined;
      if (same !== undefined) same.from = earlier.from;
      else this.#builds.push({...earlier, to: earlier.to ?? replay - 1});
    }
    this.#builds.push(...now);
  }
}

function isSameBuild(
  one: Pick<StoredModuleBuild, 'name' | 'hash'>,
  other: Pick<StoredModuleBuild, 'name' | 'hash'>,
): boolean {
  return one.name === other.name && one.hash === other.hash;
}

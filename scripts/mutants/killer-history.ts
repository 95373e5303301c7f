// Remembers which test killed which mutant. The next run tries that test first, so that most mutants need one
// test. With --resume, the history also decides.
import {createHash} from 'node:crypto';
import {appendFileSync, existsSync, mkdirSync, readFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {type Mutant, nameOf} from './mutate.ts';

interface KillerRecord {
  readonly mutant: string;
  /** The hash of the mutant's file. */
  readonly hash: string;
  readonly killedBy: string | null;
}

export class KillerHistory {
  readonly #path: string;
  readonly #hashes = new Map<string, string>();
  readonly #lines = new Map<string, KillerRecord>();

  constructor(path: string, sources: Readonly<Record<string, string>>) {
    this.#path = path;
    for (const [file, source] of Object.entries(sources)) {
      this.#hashes.set(file, createHash('sha256').update(source).digest('hex').slice(0, 16));
    }
    mkdirSync(dirname(path), {recursive: true});
    if (!existsSync(path)) return;
    for (const text of readFileSync(path, 'utf8').split('\n')) {
      if (!text.endsWith('}')) continue;
      const line = JSON.parse(text) as KillerRecord;
      this.#lines.set(line.mutant, line);
    }
  }

  killerOf(mutant: Mutant): string | undefined {
    return this.#lines.get(nameOf(mutant))?.killedBy ?? undefined;
  }

  /** Whether an earlier run killed the mutant and its file is unchanged. */
  wasKilledBefore(mutant: Mutant): boolean {
    const line = this.#lines.get(nameOf(mutant));
    return line !== undefined && line.killedBy !== null && line.hash === this.#hashes.get(mutant.file);
  }

  survivedBefore(mutant: Mutant): boolean {
    return this.#lines.get(nameOf(mutant))?.killedBy === null;
  }

  record(mutant: Mutant, killedBy: string | null): void {
    const line: KillerRecord = {mutant: nameOf(mutant), hash: this.#hashes.get(mutant.file)!, killedBy};
    this.#lines.set(line.mutant, line);
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }
}

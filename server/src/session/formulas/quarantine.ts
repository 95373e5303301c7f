// The hashes of code that has ended an engine process, on disk: what was once fatal is not tried again by the next start.
import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

interface Locked {
  name: string;
  message: string;
  at: string;
}

export class Quarantine {
  readonly #file: string | undefined;
  readonly #locked: Map<string, Locked>;

  /** Without a file it lasts as long as the program. */
  constructor(file?: string) {
    this.#file = file;
    this.#locked = new Map(file === undefined ? [] : read(file));
  }

  /** Why this code must not run; undefined if it may. */
  reason(hash: string): string | undefined {
    return this.#locked.get(hash)?.message;
  }

  lock(hash: string, name: string, message: string): void {
    this.#locked.set(hash, {name, message, at: new Date().toISOString()});
    this.#write();
  }

  /** Somebody has looked at it and wants it tried again. */
  lift(hash: string): void {
    if (this.#locked.delete(hash)) this.#write();
  }

  #write(): void {
    if (this.#file === undefined) return;
    mkdirSync(dirname(this.#file), {recursive: true});
    const made = `${this.#file}.${process.pid}.tmp`;
    writeFileSync(made, `${JSON.stringify(Object.fromEntries(this.#locked), null, 2)}\n`);
    renameSync(made, this.#file);
  }
}

function read(file: string): [string, Locked][] {
  try {
    return Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Locked>);
  } catch {
    // None yet, or one that nobody can read: what is fatal will show itself again.
    return [];
  }
}

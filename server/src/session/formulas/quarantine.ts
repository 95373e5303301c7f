// What is known of code by its hash, on disk: what has ended a process is not tried again by the next start, and what was
// tried without harm goes live there at once.
import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

interface TriedCode {
  name: string;
  /** Why it must not run; absent: it was tried, and may. */
  message?: string;
  at: string;
}

/** Texts that were tried, at most: whoever types a new one a minute is served for days. */
const MAX_TRIED = 2000;

export class Quarantine {
  readonly #file: string | undefined;
  readonly #log: (problem: string) => void;
  readonly #codeByHash: Map<string, TriedCode>;
  #loggedProblem = false;

  /** Without a file it lasts as long as the program. */
  constructor(file?: string, log: (problem: string) => void = () => {}) {
    this.#file = file;
    this.#log = log;
    this.#codeByHash = new Map(file === undefined ? [] : readQuarantineFile(file));
  }

  /** Why this code must not run; undefined if it may. */
  reason(hash: string): string | undefined {
    return this.#codeByHash.get(hash)?.message;
  }

  lock(hash: string, name: string, message: string): void {
    this.#codeByHash.set(hash, {name, message, at: new Date().toISOString()});
    this.#write();
  }

  /** It was tried in the lab process and did no harm there; what was locked is so no more. */
  pass(hash: string, name: string): void {
    if (this.hasTried(hash) && this.reason(hash) === undefined) return;
    const passed = [...this.#codeByHash].filter(([, {message}]) => message === undefined);
    if (passed.length >= MAX_TRIED) this.#codeByHash.delete(passed[0]![0]);
    this.#codeByHash.set(hash, {name, at: new Date().toISOString()});
    this.#write();
  }

  /** False for a text that came while nothing ran here: it may be fatal. */
  hasTried(hash: string): boolean {
    return this.#codeByHash.has(hash);
  }

  // Who locks is about to start the next engine process: a full disk must not keep him from it.
  #write(): void {
    if (this.#file === undefined) return;
    try {
      mkdirSync(dirname(this.#file), {recursive: true});
      const made = `${this.#file}.${process.pid}.tmp`;
      writeFileSync(made, `${JSON.stringify(Object.fromEntries(this.#codeByHash), null, 2)}\n`);
      renameSync(made, this.#file);
      this.#loggedProblem = false;
    } catch (error) {
      const {message} = error as Error;
      if (!this.#loggedProblem)
        this.#log(
          `which formulas are quarantined cannot be kept: ${message}; they are until krtscope ends, make room in --data-dir`,
        );
      this.#loggedProblem = true;
    }
  }
}

function readQuarantineFile(file: string): [string, TriedCode][] {
  try {
    return Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, TriedCode>);
  } catch {
    // None yet, or one that nobody can read: what is fatal will show itself again.
    return [];
  }
}

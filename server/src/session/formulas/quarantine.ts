// Records on disk, by hash, which code was tried. Code that ended a process is not started again.
// Code that was harmless goes live at once after a restart.
import {mkdirSync, readFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {replaceFileSync} from '../../atomic-write.ts';

interface TriedCode {
  name: string;
  /** Why it must not run; absent if it may. */
  message?: string;
  /** Its runs were slow. */
  slow?: true;
  at: string;
}

/** Most entries for harmless code: enough for days of editing. */
const MAX_TRIED = 2000;

export class Quarantine {
  readonly #file: string | undefined;
  readonly #log: (problem: string) => void;
  readonly #codeByHash: Map<string, TriedCode>;
  #loggedProblem = false;

  /** Without a file, the entries last until the program ends. */
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

  /** Records that the code was harmless in the lab process, and whether it was slow. Lifts its quarantine. */
  pass(hash: string, name: string, slow = false): void {
    if (this.hasTried(hash) && this.reason(hash) === undefined && this.isSlow(hash) === slow) return;
    const passed = [...this.#codeByHash].filter(([, {message}]) => message === undefined);
    if (passed.length >= MAX_TRIED) this.#codeByHash.delete(passed[0]![0]);
    this.#codeByHash.set(hash, {name, ...(slow ? {slow} : {}), at: new Date().toISOString()});
    this.#write();
  }

  /** Whether the code was slow in its last trial. */
  isSlow(hash: string): boolean {
    return this.#codeByHash.get(hash)?.slow === true;
  }

  /** False for code that was added while krtscope did not run. It may be harmful. */
  hasTried(hash: string): boolean {
    return this.#codeByHash.has(hash);
  }

  // Never throw: a full disk must not prevent the start of the next engine process.
  #write(): void {
    if (this.#file === undefined) return;
    try {
      mkdirSync(dirname(this.#file), {recursive: true});
      replaceFileSync(this.#file, `${JSON.stringify(Object.fromEntries(this.#codeByHash), null, 2)}\n`);
      this.#loggedProblem = false;
    } catch (error) {
      const {message} = error as Error;
      if (!this.#loggedProblem)
        this.#log(
          `the quarantine cannot be stored: ${message}; it lasts until krtscope ends; free space in --data-dir`,
        );
      this.#loggedProblem = true;
    }
  }
}

function readQuarantineFile(file: string): [string, TriedCode][] {
  try {
    return Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, TriedCode>);
  } catch {
    // There is no file yet, or it is damaged. Harmful code will be detected again.
    return [];
  }
}

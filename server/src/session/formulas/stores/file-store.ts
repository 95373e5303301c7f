// Formulas as files of one folder, one a formula. Files are the truth: what an editor writes there is taken like what
// the page saves.
import {mkdir, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {readFormulaFile, revisionOf, writeFormulaFile} from './formula-file.ts';
import {type FormulaStore, type FormulaText, StoreChanged, type StoredFormula} from './formula-store.ts';
import {fileSignature, readPlainFile} from './plain-file.ts';

/** How often the folder is looked at: a change is taken within a second. */
const LOOK_MS = 400;
/** Files that are no formulas. */
const nonFormulaFile = /\.(d|graph|test)\.ts$|^\./;
/** No formula is larger; a file that is was put here by mistake. */
const MAX_BYTES = 1024 * 1024;

interface SeenFormulaFile {
  /** What tells one state of a file from another without reading it. */
  readonly signature: string;
  readonly revision: string;
}

export class FileStore implements FormulaStore {
  readonly #folder: string;
  readonly #log: (problem: string) => void;
  readonly #seen = new Map<string, SeenFormulaFile>();
  #changed: (name: string, stored: StoredFormula | undefined) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #queue: Promise<void> = Promise.resolve();
  #closed = false;
  #loggedProblem = '';

  constructor(folder: string, log: (problem: string) => void) {
    this.#folder = folder;
    this.#log = log;
  }

  place(name: string): string {
    return join(this.#folder, `${name}.ts`);
  }

  async open(changed: (name: string, stored: StoredFormula | undefined) => void): Promise<StoredFormula[]> {
    const found: StoredFormula[] = [];
    this.#changed = (_name, stored) => {
      if (stored !== undefined) found.push(stored);
    };
    await this.#scan();
    this.#changed = changed;
    this.#scheduleScan();
    return found;
  }

  async write(formula: FormulaText, expected: string | undefined): Promise<StoredFormula> {
    return this.#runAlone(async () => {
      const old = await this.#text(formula.name);
      refuseIfChanged(old, expected, this.place(formula.name));
      const text = await writeFormulaFile(formula, old);
      await mkdir(this.#folder, {recursive: true});
      const path = this.place(formula.name);
      // Half a file must never be seen under its name.
      const made = join(this.#folder, `.${basename(path)}.${process.pid}.tmp`);
      await writeFile(made, text);
      await rename(made, path);
      this.#seen.set(formula.name, {signature: await fileSignature(path), revision: revisionOf(text)});
      return readFormulaFile(formula.name, text);
    });
  }

  async remove(name: string, expected: string): Promise<void> {
    return this.#runAlone(async () => {
      const old = await this.#text(name);
      if (old !== undefined) refuseIfChanged(old, expected, this.place(name));
      await rm(this.place(name), {force: true});
      this.#seen.delete(name);
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #scheduleScan(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      void this.#runAlone(() => this.#scan()).finally(() => this.#scheduleScan());
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** One after the other: a look between a rename and its note would take our own file for somebody else's. */
  #runAlone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.then(
      () => {},
      () => {},
    );
    return turn;
  }

  async #scan(): Promise<void> {
    try {
      const files = (await readdir(this.#folder)).filter(
        file => file.endsWith('.ts') && !nonFormulaFile.test(file),
      );
      const names = new Set(files.map(file => file.slice(0, -3)));
      for (const name of [...this.#seen.keys()]) {
        if (names.has(name)) continue;
        this.#seen.delete(name);
        this.#changed(name, undefined);
      }
      let wrong: unknown;
      // One that may not be read says nothing of the others.
      for (const name of names) {
        await this.#scanFile(name).catch(error => {
          wrong ??= error;
        });
      }
      if (wrong !== undefined) throw wrong;
      this.#loggedProblem = '';
    } catch (error) {
      const {code, message} = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') {
        for (const name of this.#seen.keys()) this.#changed(name, undefined);
        this.#seen.clear();
      } else if (message !== this.#loggedProblem) {
        this.#loggedProblem = message;
        this.#log(`the formulas in ${this.#folder} cannot be read: ${message}`);
      }
    }
  }

  async #scanFile(name: string): Promise<void> {
    const path = this.place(name);
    const sign = await fileSignature(path);
    const seen = this.#seen.get(name);
    if (seen?.signature === sign || Number(sign.split(' ')[1]) > MAX_BYTES) return;
    const text = await this.#text(name);
    if (text === undefined) return;
    const revision = revisionOf(text);
    this.#seen.set(name, {signature: sign, revision});
    // A file without a default export is no formula: a neighbour that modules import.
    if (!/\bexport\s+default\b/.test(text)) {
      if (seen !== undefined) this.#changed(name, undefined);
    } else if (revision !== seen?.revision) this.#changed(name, await readFormulaFile(name, text));
  }

  #text(name: string): Promise<string | undefined> {
    return readPlainFile(this.place(name));
  }
}

function refuseIfChanged(text: string | undefined, expected: string | undefined, path: string): void {
  const found = text === undefined ? undefined : revisionOf(text);
  if (found === expected) return;
  throw new StoreChanged(
    expected === undefined ? `there is a file ${path} already` : `${path} was changed outside krtscope`,
  );
}

// Formulas as files of one folder, one file a formula. The files are the truth, whether an editor or the page
// writes them.

import {mkdir, readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {replaceFile} from '../../../atomic-write.ts';
import {SerialQueue} from '../serial-queue.ts';
import {readFormulaFile, revisionOf, writeFormulaFile} from './formula-file.ts';
import {type FormulaStore, type FormulaText, StoreChanged, type StoredFormula} from './formula-store.ts';
import {fileSignature, type InspectedFile, inspectFile} from './plain-file.ts';

/** Interval of folder scans, so that changes arrive within a second. */
const SCAN_MS = 400;
/** Files that are not formulas. */
const nonFormulaFile = /\.(d|graph|test)\.ts$|^\.|^helpers\.ts$/;
interface SeenFormulaFile {
  /** Detects a change without reading the file. */
  readonly signature: string;
  readonly revision: string;
  /** The last formula of this file that could be read. */
  readonly lastGood: StoredFormula | undefined;
}

export class FileStore implements FormulaStore {
  readonly #folder: string;
  readonly #log: (problem: string) => void;
  readonly #seen = new Map<string, SeenFormulaFile>();
  #changed: (name: string, stored: StoredFormula | undefined) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  /** One job at a time: a scan during a write would take the file for an outside change. */
  readonly #queue = new SerialQueue();
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

  async write(formula: FormulaText, expected: string | undefined, from?: string): Promise<StoredFormula> {
    return this.#queue.run(async () => {
      const path = this.place(formula.name);
      const present = await inspectFile(path);
      refuseIfChanged(present, expected, path);
      const template = from === undefined ? present : await inspectFile(this.place(from));
      const text = await writeFormulaFile(formula, template?.text);
      await mkdir(this.#folder, {recursive: true});
      await replaceFile(path, text);
      const stored = await readFormulaFile(formula.name, text);
      this.#seen.set(formula.name, {
        signature: await fileSignature(path),
        revision: stored.revision,
        lastGood: stored,
      });
      return stored;
    });
  }

  async remove(name: string, expected: string): Promise<void> {
    return this.#queue.run(async () => {
      const present = await inspectFile(this.place(name));
      if (present !== undefined) refuseIfChanged(present, expected, this.place(name));
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
      void this.#queue.run(() => this.#scan()).finally(() => this.#scheduleScan());
    }, SCAN_MS);
    this.#timer.unref();
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
      let problem: unknown;
      // An unreadable file must not affect the others.
      for (const name of names) {
        await this.#scanFile(name).catch(error => {
          problem ??= error;
        });
      }
      if (problem !== undefined) throw problem;
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
    const signature = await fileSignature(path);
    const seen = this.#seen.get(name);
    if (seen?.signature === signature) return;
    const file = await inspectFile(path);
    if (file === undefined) return;
    const revision = revisionOfFile(file);
    const lastGood = seen?.lastGood;
    if (file.unrelated === true && lastGood === undefined) {
      this.#seen.set(name, {signature, revision, lastGood});
      return;
    }
    const stored = await readFile(name, file, lastGood);
    this.#seen.set(name, {signature, revision, lastGood: stored.problems === undefined ? stored : lastGood});
    if (revision !== seen?.revision) this.#changed(name, stored);
  }
}

/** A file that cannot be read keeps the last good formula, with the reason. A broken text keeps the last good options. */
async function readFile(
  name: string,
  file: InspectedFile,
  lastGood: StoredFormula | undefined,
): Promise<StoredFormula> {
  if (file.problem !== undefined || file.text === undefined) {
    const advice =
      lastGood === undefined ? '' : '; the last good formula stays, delete the file to remove it';
    const problems = [{line: 1, column: 1, message: `${file.problem}${advice}`}];
    return {code: '', ...lastGood, name, revision: revisionOfFile(file), problems};
  }
  const stored = await readFormulaFile(name, file.text);
  const {input, kind, sources, tests} = lastGood ?? {};
  const hasOptions = [stored.input, stored.kind, stored.sources, stored.tests].some(one => one !== undefined);
  return stored.problems === undefined || hasOptions ? stored : {...stored, input, kind, sources, tests};
}

const revisionOfFile = ({text, problem}: InspectedFile) => revisionOf(text ?? `krtscope: ${problem}`);

function refuseIfChanged(file: InspectedFile | undefined, expected: string | undefined, path: string): void {
  const found = file === undefined ? undefined : revisionOfFile(file);
  if (found === expected) return;
  throw new StoreChanged(
    expected === undefined ? `the file ${path} already exists` : `${path} was changed outside krtscope`,
  );
}

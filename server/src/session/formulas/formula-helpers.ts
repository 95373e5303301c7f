// The helpers of a folder as the session sees them: the text of helpers.ts, read again when the file changes. A text that
// cannot be read keeps the last good one, and says why.
import {join} from 'node:path';
import type {ModuleState} from '@krtscope/shared/formulas.ts';
import type {CodeProblem} from '../../formula/compile/code-problem.ts';
import {FormulaError} from '../../formula/compile/code-problem.ts';
import {runInCompileThread} from '../../formula/compile/compile-thread.ts';
import {HELPER_FILE} from '../../formula/compile/helper-name.ts';
import {fileSignature, inspectFile} from './stores/plain-file.ts';

const SCAN_MS = 400;
const MAX_CHARACTERS = 64 * 1024;

export class FormulaHelpers {
  readonly #path: string;
  readonly #log: (problem: string) => void;
  #signature = '';
  #text = '';
  #names: readonly string[] = [];
  #problem: CodeProblem | undefined;
  #onChange: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #first: Promise<void> | undefined;
  #stopped = false;

  constructor(folder: string, log: (problem: string) => void) {
    this.#path = join(folder, HELPER_FILE);
    this.#log = log;
  }

  /** The last good text; undefined without helpers. */
  get text(): string | undefined {
    return this.#text === '' ? undefined : this.#text;
  }

  /** The names that formulas can use. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** As the list of formulas shows it, beside the graph modules; undefined without a file. */
  get state(): ModuleState | undefined {
    if (this.text === undefined && this.#problem === undefined) return undefined;
    return {
      name: HELPER_FILE,
      state: this.#problem === undefined ? 'live' : 'failing',
      collections: [],
      files: [{path: HELPER_FILE, code: this.#text}],
      ...(this.#problem === undefined ? {} : {error: this.#problem}),
    };
  }

  /** Resolves when the file was read for the first time. */
  ready(): Promise<void> {
    this.#first ??= this.#scan();
    return this.#first;
  }

  /** Calls `onChange` for each change after the first text. */
  async watch(onChange: () => void): Promise<void> {
    await this.ready();
    this.#onChange = onChange;
    this.#schedule();
  }

  close(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#scan().finally(() => this.#schedule()), SCAN_MS);
    this.#timer.unref();
  }

  async #scan(): Promise<void> {
    const signature = await fileSignature(this.#path);
    if (signature === this.#signature) return;
    this.#signature = signature;
    const file = await inspectFile(this.#path, false);
    if (file === undefined) {
      this.#problem = undefined;
      this.#take('', []);
      return;
    }
    try {
      const {text = '', problem} = file;
      if (problem !== undefined) throw new FormulaError([{line: 1, column: 1, message: problem}]);
      if (text.length > MAX_CHARACTERS)
        throw new FormulaError([{line: 1, column: 1, message: 'the file has more than 64 KB; split it'}]);
      const names = await runInCompileThread({job: 'helpers', code: text});
      this.#problem = undefined;
      this.#take(text, names);
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      [this.#problem] = error.problems;
      const {line = 1, message = 'it cannot be read'} = this.#problem ?? {};
      const advice = this.#text === '' ? '' : '; the last good text stays, delete the file to remove it';
      this.#log(`${HELPER_FILE}:${line}: ${message}${advice}`);
    }
  }

  #take(text: string, names: readonly string[]): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#names = names;
    this.#onChange();
  }
}

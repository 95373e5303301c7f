// Installs the formulas of the stores: all of them at the start, and later those that change outside of krtscope.
import type {FormulaCheck} from '@krtscope/shared/formulas.ts';
import {DraftStopped} from '../../../engine/supervisor/lab-process.ts';
import {HELPER_FILE} from '../../../formula/compile/helper-name.ts';
import {CLOCK} from '../../../formula/compile/scope-names.ts';
import type {FormulaContext} from '../formula-context.ts';
import {sortByReads} from '../formula-dependencies.ts';
import type {SavedFormulaRegistry} from '../saved-formula-registry.ts';
import {compileFormulaText, type FormulaCompilation} from '../trial/formula-compilation.ts';
import {waitForInitialRows} from '../trial/initial-rows.ts';
import {describeStop, tryFormula} from '../trial/trial-run.ts';
import type {FormulaStore, StoredFormula} from './formula-store.ts';
import {SourceRetries} from './source-retries.ts';

export interface FormulaStoreWatcherOptions {
  readonly context: FormulaContext;
  /** If two stores have a name, the first one wins. */
  readonly stores: readonly FormulaStore[];
  readonly formulas: SavedFormulaRegistry;
  /** Runs one change at a time. */
  runAlone<T>(work: () => Promise<T>): Promise<T>;
}

export class FormulaStoreWatcher {
  readonly #options: FormulaStoreWatcherOptions;
  readonly #sourceRetries: SourceRetries;
  #closed = false;

  constructor(options: FormulaStoreWatcherOptions) {
    this.#options = options;
    this.#sourceRetries = new SourceRetries(resource => options.context.addSource(resource));
  }

  /** Installs all stored formulas, each after those it reads. */
  async load(): Promise<void> {
    const {context, stores, formulas, runAlone} = this.#options;
    const failed = (name: string) => (error: unknown) =>
      context.log(`the formula ${name}: ${(error as Error).message}`);
    const found: {stored: StoredFormula; store: FormulaStore; compilation: FormulaCompilation}[] = [];
    await context.helpers.watch(() => {
      void runAlone(() => this.#onHelpersChange()).catch(failed(HELPER_FILE));
    });
    for (const store of stores) {
      const texts = await store.open((name, stored) => {
        void runAlone(() => this.#onStoreChange(name, stored, store)).catch(failed(name));
      });
      // An unreadable formula must not affect the others.
      for (const stored of texts)
        await compileFormulaText(stored, context.helpers.text).then(
          compilation => void found.push({stored, store, compilation}),
          failed(stored.name),
        );
    }
    const all = found.map(one => ({...one, name: one.stored.name, reads: one.compilation.reads}));
    for (const {stored} of all) this.#sourceRetries.add(stored.sources);
    const {quarantine, engine} = context;
    if (all.some(({compilation}) => !quarantine.hasTried(compilation.hash)))
      await waitForInitialRows(engine, () => this.#closed);
    for (const {stored, store, compilation} of sortByReads(all)) {
      await this.#prepare(compilation).catch(failed(stored.name));
      if (!quarantine.hasTried(compilation.hash)) await this.#tryFormula(stored, compilation);
      await formulas
        .putWithProblems({stored, store, compilation, checks: undefined})
        .catch(failed(stored.name));
    }
  }

  close(): void {
    this.#closed = true;
    this.#options.context.helpers.close();
    this.#sourceRetries.close();
    for (const store of this.#options.stores) store.close();
  }

  /** Compiles all formulas again. Those that use a changed helper run again. */
  async #onHelpersChange(): Promise<void> {
    const {formulas, context} = this.#options;
    for (const {stored, store, compilation: old} of formulas.all()) {
      if (this.#closed) return;
      const compilation = await compileFormulaText(stored, context.helpers.text);
      if (compilation.hash === old.hash && compilation.problems.length === old.problems.length) continue;
      await this.#prepare(compilation);
      const checks = await this.#tryFormula(stored, compilation);
      await formulas.putWithProblems({stored, store, compilation, checks});
    }
  }

  /** Handles a change that was made outside of krtscope. */
  async #onStoreChange(name: string, stored: StoredFormula | undefined, store: FormulaStore): Promise<void> {
    const {formulas, stores} = this.#options;
    const formula = formulas.get(name);
    const other = formula !== undefined && formula.store !== store;
    if (this.#closed || (other && stores.indexOf(formula.store) < stores.indexOf(store))) return;
    if (stored === undefined) {
      if (formula !== undefined && !other) await formulas.drop(name, true);
      return;
    }
    if (!other && formula?.stored.revision === stored.revision) return;
    this.#sourceRetries.add(stored.sources);
    const compilation = await compileFormulaText(stored, this.#options.context.helpers.text);
    await this.#prepare(compilation);
    // Only another code lifts a quarantine. Another revision of the same code does not.
    const checks = await this.#tryFormula(stored, compilation);
    await formulas.putWithProblems({stored, store, compilation, checks});
  }

  async #prepare({reads}: FormulaCompilation): Promise<void> {
    if (reads.includes(CLOCK)) await this.#options.context.startClock();
    await this.#options.context.groups.use(reads);
  }

  async #tryFormula(
    stored: StoredFormula,
    compilation: FormulaCompilation,
  ): Promise<FormulaCheck[] | undefined> {
    const {quarantine, lab} = this.#options.context;
    if (compilation.compiled === undefined || quarantine.reason(compilation.hash) !== undefined)
      return undefined;
    try {
      const {checks, isSlow} = await tryFormula(lab, stored.name, compilation, stored.tests);
      quarantine.pass(compilation.hash, stored.name, isSlow);
      return checks;
    } catch (error) {
      if (error instanceof DraftStopped) quarantine.lock(compilation.hash, stored.name, describeStop(error));
      return undefined;
    }
  }
}

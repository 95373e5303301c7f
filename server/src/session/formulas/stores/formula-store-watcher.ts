// What stands in the stores becomes what the session keeps: all of it at the start, later what somebody else writes there.
import type {FormulaCheck} from '@krtscope/shared/formulas.ts';
import {DraftStopped} from '../../../engine/supervisor/lab-process.ts';
import type {FormulaContext} from '../formula-context.ts';
import {sortByReads} from '../formula-dependencies.ts';
import type {SavedFormulaRegistry} from '../saved-formula-registry.ts';
import {compileFormulaText, type FormulaCompilation} from '../trial/formula-compilation.ts';
import {waitForInitialRows} from '../trial/initial-rows.ts';
import {describeStop, tryFormula} from '../trial/trial-run.ts';
import type {FormulaStore, StoredFormula} from './formula-store.ts';
import {SourceRetries} from './source-retries.ts';

export interface FormulaStoreWatcherOptions {
  readonly ground: FormulaContext;
  /** Where two of them have a name, the first one wins. */
  readonly stores: readonly FormulaStore[];
  readonly kept: SavedFormulaRegistry;
  /** One change after the other. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export class FormulaStoreWatcher {
  readonly #options: FormulaStoreWatcherOptions;
  readonly #sourceRetries: SourceRetries;
  #closed = false;

  constructor(options: FormulaStoreWatcherOptions) {
    this.#options = options;
    this.#sourceRetries = new SourceRetries(resource => options.ground.addSource(resource));
  }

  /** Makes what they hold, each after what it reads. */
  async load(): Promise<void> {
    const {ground, stores, kept, alone} = this.#options;
    const failed = (name: string) => (error: unknown) =>
      ground.log(`the formula ${name}: ${(error as Error).message}`);
    const found: {stored: StoredFormula; store: FormulaStore; reading: FormulaCompilation}[] = [];
    for (const store of stores) {
      const texts = await store.open((name, stored) => {
        void alone(() => this.#onStoreChange(name, stored, store)).catch(failed(name));
      });
      // One that cannot even be looked at says nothing of the others.
      for (const stored of texts)
        await compileFormulaText(stored).then(
          reading => void found.push({stored, store, reading}),
          failed(stored.name),
        );
    }
    const all = found.map(one => ({...one, name: one.stored.name, reads: one.reading.reads}));
    for (const {stored} of all) this.#sourceRetries.add(stored.sources);
    const {quarantine, engine} = ground;
    if (all.some(({reading}) => !quarantine.hasTried(reading.hash)))
      await waitForInitialRows(engine, () => this.#closed);
    for (const {stored, store, reading} of sortByReads(all)) {
      if (!quarantine.hasTried(reading.hash)) await this.#tryFormula(stored, reading);
      await kept.takeAsIs({stored, store, reading, checks: undefined}).catch(failed(stored.name));
    }
  }

  close(): void {
    this.#closed = true;
    this.#sourceRetries.close();
    for (const store of this.#options.stores) store.close();
  }

  /** Somebody else wrote to a store. */
  async #onStoreChange(name: string, stored: StoredFormula | undefined, store: FormulaStore): Promise<void> {
    const {kept: formulas, stores} = this.#options;
    const kept = formulas.get(name);
    const other = kept !== undefined && kept.store !== store;
    if (this.#closed || (other && stores.indexOf(kept.store) < stores.indexOf(store))) return;
    if (stored === undefined) {
      if (kept !== undefined && !other) await formulas.drop(name, true);
      return;
    }
    if (!other && kept?.stored.revision === stored.revision) return;
    this.#sourceRetries.add(stored.sources);
    const reading = await compileFormulaText(stored);
    // An edit lifts a quarantine; the same code in another dress is no edit.
    const checks = await this.#tryFormula(stored, reading);
    await formulas.takeAsIs({stored, store, reading, checks});
  }

  async #tryFormula(stored: StoredFormula, reading: FormulaCompilation): Promise<FormulaCheck[] | undefined> {
    const {quarantine, lab} = this.#options.ground;
    if (reading.compiled === undefined || quarantine.reason(reading.hash) !== undefined) return undefined;
    try {
      const checks = await tryFormula(lab, stored.name, reading, stored.tests);
      quarantine.pass(reading.hash, stored.name);
      return checks;
    } catch (error) {
      if (error instanceof DraftStopped) quarantine.lock(reading.hash, stored.name, describeStop(error));
      return undefined;
    }
  }
}

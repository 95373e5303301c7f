// What stands in the stores becomes what the session keeps: all of it at the start, later what somebody else writes there.
import type {FormulaCheck} from '@krtscope/shared/formulas.ts';
import {DraftStopped} from '../../engine/supervisor/lab.ts';
import {inOrder} from './dependencies.ts';
import {firstRows} from './first-rows.ts';
import type {Ground} from './ground.ts';
import type {KeptFormulas} from './kept-formulas.ts';
import {type ReadFormula, read} from './reading.ts';
import type {FormulaStore, StoredFormula} from './store.ts';
import {stoppedWords, tryOut} from './trial.ts';
import {WantedSources} from './wanted-sources.ts';

export interface FollowedStoresOptions {
  readonly ground: Ground;
  /** Where two of them have a name, the first one wins. */
  readonly stores: readonly FormulaStore[];
  readonly kept: KeptFormulas;
  /** One change after the other. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export class FollowedStores {
  readonly #options: FollowedStoresOptions;
  readonly #wanted: WantedSources;
  #closed = false;

  constructor(options: FollowedStoresOptions) {
    this.#options = options;
    this.#wanted = new WantedSources(resource => options.ground.addSource(resource));
  }

  /** Makes what they hold, each after what it reads. */
  async load(): Promise<void> {
    const {ground, stores, kept, alone} = this.#options;
    const failed = (name: string) => (error: unknown) =>
      ground.log(`the formula ${name}: ${(error as Error).message}`);
    const found: {stored: StoredFormula; store: FormulaStore; reading: ReadFormula}[] = [];
    for (const store of stores) {
      const texts = await store.open((name, stored) => {
        void alone(() => this.#noticed(name, stored, store)).catch(failed(name));
      });
      // One that cannot even be looked at says nothing of the others.
      for (const stored of texts)
        await read(stored).then(reading => void found.push({stored, store, reading}), failed(stored.name));
    }
    const all = found.map(one => ({...one, name: one.stored.name, reads: one.reading.reads}));
    for (const {stored} of all) this.#wanted.add(stored.sources);
    const {quarantine, engine} = ground;
    if (all.some(({reading}) => !quarantine.knows(reading.hash))) await firstRows(engine, () => this.#closed);
    for (const {stored, store, reading} of inOrder(all)) {
      if (!quarantine.knows(reading.hash)) await this.#tried(stored, reading);
      await kept.take({stored, store, reading, checks: undefined}).catch(failed(stored.name));
    }
  }

  close(): void {
    this.#closed = true;
    this.#wanted.close();
    for (const store of this.#options.stores) store.close();
  }

  /** Somebody else wrote to a store. */
  async #noticed(name: string, stored: StoredFormula | undefined, store: FormulaStore): Promise<void> {
    const {kept: formulas, stores} = this.#options;
    const kept = formulas.get(name);
    const other = kept !== undefined && kept.store !== store;
    if (this.#closed || (other && stores.indexOf(kept.store) < stores.indexOf(store))) return;
    if (stored === undefined) {
      if (kept !== undefined && !other) await formulas.drop(name, true);
      return;
    }
    if (!other && kept?.stored.revision === stored.revision) return;
    this.#wanted.add(stored.sources);
    const reading = await read(stored);
    // An edit lifts a quarantine; the same code in another dress is no edit.
    const checks = await this.#tried(stored, reading);
    await formulas.take({stored, store, reading, checks});
  }

  async #tried(stored: StoredFormula, reading: ReadFormula): Promise<FormulaCheck[] | undefined> {
    const {quarantine, lab} = this.#options.ground;
    if (reading.compiled === undefined || quarantine.reason(reading.hash) !== undefined) return undefined;
    try {
      const checks = await tryOut(lab, stored.name, reading, stored.tests);
      quarantine.pass(reading.hash, stored.name);
      return checks;
    } catch (error) {
      if (error instanceof DraftStopped) quarantine.lock(reading.hash, stored.name, stoppedWords(error));
      return undefined;
    }
  }
}

// Tries one graph module: builds it, makes its collections over copies of its inputs, and runs them. All of it is
// dropped afterwards.
import type {CompiledModule} from '../../formula/compile/module-compiler.ts';
import {closeIndex} from '../../formula/sandbox/module-api.ts';
import {
  MissingDependency,
  type ModuleEnvironment,
  SandboxedModule,
} from '../../formula/sandbox/sandboxed-module.ts';
import {type Collection, newStaticCollection} from '../../krt/index.ts';
import {makeCollection} from '../host/formulas/make-collection.ts';
import {userCollectionSpecOf} from '../host/formulas/module-installer.ts';
import {toRunFunction, type UserCollectionSpec} from '../host/formulas/user-collections.ts';
import type {LabModuleResult, ModuleDraft} from '../link/lab-messages.ts';
import type {TrialProgress} from './draft-trial.ts';
import type {RowCopies} from './row-copies.ts';

/** The time for all collections of a module. Each collection has its share, so that all are tried. */
const BUDGET_MS = 2000;
const SHARE_MS = 50;
/** Runs under one message to main, once the first runs have shown that they end. */
const SLICE = 500;
const SINGLE_RUNS = 100;
/** Milliseconds under one message. Many short runs must not look like one endless run. */
const SLICE_MS = 100;

export function tryModule(copies: RowCopies, draft: ModuleDraft, progress: TrialProgress): LabModuleResult {
  return new LabModuleTrial(copies, draft, progress).run();
}

class LabModuleTrial {
  readonly #copies: RowCopies;
  readonly #draft: ModuleDraft;
  readonly #progress: TrialProgress;
  readonly #own = new Map<string, Collection<unknown>>();
  /** The collection that runs now, its number of runs, and the time of the last message. */
  #at: string;
  #runs = 0;
  #left = 0;
  #since = 0;

  constructor(copies: RowCopies, draft: ModuleDraft, progress: TrialProgress) {
    this.#copies = copies;
    this.#draft = draft;
    this.#progress = progress;
    this.#at = draft.name;
  }

  run(): LabModuleResult {
    const {name, compiled, sources, brought} = this.#draft;
    let module: SandboxedModule;
    // A placeholder for a collection that is not made yet. It is replaced before the first read.
    const nowhere = newStaticCollection<unknown>(this.#copies.engine, [], {name: 'nowhere'});
    let building = true;
    const environment: ModuleEnvironment = {
      collection: one =>
        this.#own.get(one) ?? this.#copies.collection(one) ?? (building ? nowhere : undefined),
      index: (collection, path) => this.#copies.index(collection, path),
      source: resource => sources[resource],
    };
    try {
      module = new SandboxedModule(compiled as CompiledModule, environment, {onRun: () => this.#say()});
    } catch (error) {
      if (!(error instanceof MissingDependency)) return {error: (error as Error).message, reads: []};
      const {resource, message} = error;
      return resource === undefined
        ? {error: message, reads: []}
        : {needs: {collections: [], resource}, reads: []};
    } finally {
      nowhere.stop();
      building = false;
    }
    const reads = [...module.reads];
    const missing = reads.filter(one => !brought.includes(one));
    if (missing.length > 0) return {needs: {collections: missing}, reads};
    const share = Math.max(SHARE_MS, BUDGET_MS / Math.max(1, module.plan.length));
    try {
      for (const planned of module.plan) this.#make(userCollectionSpecOf(planned, module, name), share);
      return {reads};
    } catch (error) {
      return {error: (error as Error).message, reads};
    } finally {
      for (const [one, collection] of [...this.#own].reverse()) {
        this.#progress.running(one, 0);
        collection.stop();
      }
      for (const index of module.indexes) closeIndex(index);
    }
  }

  #make(spec: UserCollectionSpec, share: number): void {
    const {name, view} = spec;
    this.#at = name;
    const runner = spec.runner();
    const run = runner && toRunFunction(runner, spec);
    const deadline = performance.now() + share;
    const isLate = (): boolean => {
      this.#at = name;
      if (performance.now() < deadline) return false;
      // Skipped rows take time, too.
      this.#say();
      return true;
    };
    const made = makeCollection(
      this.#copies.engine,
      {
        ...spec,
        ...(view === undefined ? {} : {view: given => (isLate() ? undefined : view(given))}),
      },
      {
        inputs: spec.inputs.map(
          one => (this.#own.get(one) ?? this.#copies.collection(one)) as Collection<unknown>,
        ),
        run: run && ((ctx, item) => (isLate() ? undefined : run(ctx, item))),
        key: row => runner?.keys.of(row) ?? '',
      },
    );
    this.#own.set(name, made);
    // A view runs when it is read.
    if (view !== undefined) made.list();
  }

  #say(): void {
    this.#runs += 1;
    if (this.#runs > SINGLE_RUNS && --this.#left > 0 && performance.now() - this.#since < SLICE_MS) return;
    this.#left = SLICE;
    this.#since = performance.now();
    this.#progress.running(this.#at, 0);
  }
}

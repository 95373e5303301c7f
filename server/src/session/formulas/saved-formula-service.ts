// Lists, creates, changes and removes the saved formulas of a session, one change at a time.
// Checks and tries a formula before it writes anything.

import type {FormulaChange, FormulaCheck, FormulaRequest, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import {shippedSources} from '@krtscope/shared/sources.ts';
import {EngineFailure} from '../../engine/link/engine-link.ts';
import {DraftStopped} from '../../engine/supervisor/lab-process.ts';
import {CLOCK, formulaNameProblem} from '../../formula/compile/scope-names.ts';
import {badFormulaFailure, outOfDateFailure} from './api-failures.ts';
import {applyFormulaChange, pickFormulaText} from './formula-change.ts';
import type {FormulaContext} from './formula-context.ts';
import {describeCycle, findCycle} from './formula-dependencies.ts';
import {toFormulaView, type ViewableFormula} from './formula-view.ts';
import {SavedFormulaRegistry} from './saved-formula-registry.ts';
import {SerialQueue} from './serial-queue.ts';
import {type FormulaStore, type FormulaText, StoreChanged} from './stores/formula-store.ts';
import {FormulaStoreWatcher} from './stores/formula-store-watcher.ts';
import {compileFormulaText, type FormulaCompilation} from './trial/formula-compilation.ts';
import {refuseUnknownParams, resolveKind, toUnknownNameFailure} from './trial/preview.ts';
import {describeStop, tryFormula} from './trial/trial-run.ts';

/** How long a save waits for the first runs. */
const FIRST_RUNS_TIMEOUT_MS = 3000;

export class SavedFormulaService {
  readonly #context: FormulaContext;
  readonly #stores: readonly FormulaStore[];
  readonly #registry: SavedFormulaRegistry;
  readonly #storeWatcher: FormulaStoreWatcher;
  readonly #queue = new SerialQueue();

  /** New formulas go to the first store. */
  constructor(context: FormulaContext, stores: readonly FormulaStore[]) {
    this.#context = context;
    this.#stores = stores;
    this.#registry = new SavedFormulaRegistry(context);
    this.#storeWatcher = new FormulaStoreWatcher({
      context,
      stores,
      formulas: this.#registry,
      runAlone: work => this.#queue.run(work),
    });
    context.engine.onQuarantine(({name, hash}, message) => {
      context.quarantine.lock(hash, name, message);
      this.#registry.quarantineCode(hash, message);
    });
  }

  start(): void {
    this.#queue
      .run(() => this.#storeWatcher.load())
      .catch(error => this.#context.log(`the saved formulas cannot be read: ${(error as Error).message}`));
  }

  close(): void {
    this.#storeWatcher.close();
  }

  async list(): Promise<SavedFormula[]> {
    await this.#queue.idle();
    const nodes = await this.#registry.nodes();
    return this.#registry
      .all()
      .map(formula => this.#view(formula, nodes.get(formula.stored.name)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async get(name: string): Promise<SavedFormula> {
    await this.#queue.idle();
    const formula = this.#registry.find(name);
    return this.#view(formula, (await this.#registry.nodes()).get(name));
  }

  /** Why no formula can have the name: it is not valid, or another collection has it. */
  async nameProblem(name: string): Promise<string | undefined> {
    const node = (await this.#registry.nodes()).get(name);
    const isTaken = node !== undefined && node.formula !== true;
    return formulaNameProblem(name) ?? (isTaken ? `a collection ${name} already exists` : undefined);
  }

  /** The store of the formula. */
  async storeOf(name: string): Promise<FormulaStore | undefined> {
    await this.#queue.idle();
    return this.#registry.get(name)?.store;
  }

  create(request: FormulaRequest): Promise<SavedFormula> {
    return this.#queue.run(async () => {
      resolveKind(request.kind, request.input);
      const compilation = await this.#compile(request);
      if (compilation.compiled !== undefined) refuseUnknownParams(request.params, compilation.compiled);
      await this.#registry.refuseTakenName(request.name);
      this.#refuseCycle(request, compilation);
      await this.#prepare(request.sources, compilation);
      const checks = await this.#tryFormula(request, compilation);
      const store = this.#stores[0] as FormulaStore;
      const text = await this.#withSources(pickFormulaText(request), compilation);
      const stored = await convertStoreError(store.write(text, undefined));
      try {
        await this.#registry.put({stored, store, compilation, checks});
      } catch (error) {
        await this.#registry.drop(stored.name);
        await store.remove(stored.name, stored.revision).catch(() => {});
        throw error;
      }
      return this.#waitForFirstRuns(stored.name);
    });
  }

  change(name: string, change: FormulaChange): Promise<SavedFormula> {
    return this.#queue.run(async () => {
      const formula = this.#registry.find(name);
      const {stored, store} = formula;
      refuseReadOnlyStore(store, name);
      if (change.revision !== undefined && change.revision !== stored.revision)
        throw outOfDateFailure(`${name} is at revision ${stored.revision}, not ${change.revision}`);
      const text = applyFormulaChange(stored, formula.compilation, change);
      resolveKind(text.kind, text.input);
      const compilation = await this.#compile(text);
      if (compilation.compiled !== undefined) refuseUnknownParams(change.params, compilation.compiled);
      if (text.name !== name) {
        await this.#refuseIfRead(name);
        await this.#registry.refuseTakenName(text.name, name);
      }
      this.#refuseCycle(text, compilation, name);
      await this.#prepare(change.sources, compilation);
      const checks = await this.#tryFormula(text, compilation);
      const renamed = text.name !== name;
      const complete = await this.#withSources(text, compilation);
      const written = await convertStoreError(
        renamed ? store.write(complete, undefined, name) : store.write(complete, stored.revision),
      );
      if (renamed) {
        try {
          await convertStoreError(store.remove(name, stored.revision));
        } catch (error) {
          // Two texts would become two formulas at the next start.
          await store.remove(written.name, written.revision).catch(() => {});
          throw error;
        }
        await this.#registry.drop(name);
      }
      await this.#registry.put({stored: written, store, compilation, checks});
      return this.#waitForFirstRuns(written.name);
    });
  }

  remove(name: string): Promise<void> {
    return this.#queue.run(async () => {
      const {stored, store} = this.#registry.find(name);
      refuseReadOnlyStore(store, name);
      await this.#refuseIfRead(name);
      await convertStoreError(store.remove(name, stored.revision));
      await this.#registry.drop(name);
    });
  }

  #view(formula: ViewableFormula, node: CollectionNode | undefined): SavedFormula {
    return toFormulaView(formula, node, this.#registry.upstreamProblem(formula.stored.name));
  }

  async #compile(text: FormulaText): Promise<FormulaCompilation> {
    const compilation = await compileFormulaText(text, this.#context.helpers.text);
    if (compilation.problems.length > 0) throw badFormulaFailure(compilation.problems);
    return compilation;
  }

  /** Call it after the check for taken names: a formula with the name of its input is not a cycle. */
  #refuseCycle(text: FormulaText, compilation: FormulaCompilation, oldName?: string): void {
    const all = this.#registry.reads(text.name, compilation.reads);
    if (oldName !== undefined && oldName !== text.name) all.delete(oldName);
    const cycle = findCycle(text.name, all);
    if (cycle === undefined) return;
    const place = compilation.compiled?.places[cycle[1] ?? ''] ?? {line: 1, column: 1};
    throw badFormulaFailure([{...place, message: describeCycle(cycle)}]);
  }

  async #tryFormula({name, tests}: FormulaText, compilation: FormulaCompilation): Promise<FormulaCheck[]> {
    try {
      const {checks, isSlow} = await tryFormula(this.#context.lab, name, compilation, tests);
      this.#context.quarantine.pass(compilation.hash, name, isSlow);
      return checks;
    } catch (error) {
      if (error instanceof DraftStopped)
        throw badFormulaFailure([{line: 1, column: 1, message: describeStop(error)}]);
      const {input, compiled} = compilation;
      throw compiled === undefined ? error : toUnknownNameFailure(error, compiled, input);
    }
  }

  async #prepare(sources: readonly string[] = [], {reads}: FormulaCompilation): Promise<void> {
    for (const resource of sources) await this.#context.addSource(resource);
    if (reads.includes(CLOCK)) await this.#context.startClock();
    await this.#context.groups.use(reads);
  }

  async #refuseIfRead(name: string): Promise<void> {
    await this.#context.groups.release(name);
    await this.#registry.refuseIfRead(name);
  }

  /** Adds the sources that the formula reads. A source that was added by hand is gone after a restart. */
  async #withSources(text: FormulaText, {reads}: FormulaCompilation): Promise<FormulaText> {
    const nodes = await this.#registry.nodes();
    const added = reads.flatMap(name => {
      const {kind, resource} = nodes.get(name) ?? {};
      if (kind !== 'source' || resource === undefined || Object.hasOwn(shippedSources, name)) return [];
      return [resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`];
    });
    const {sources = []} = text;
    // `gateways` and `gateways.gateway.networking.k8s.io` are the same source.
    const missing = added.filter(one => !sources.some(said => one === said || one.startsWith(`${said}.`)));
    return missing.length === 0 ? text : {...text, sources: [...sources, ...missing]};
  }

  async #waitForFirstRuns(name: string): Promise<SavedFormula> {
    // The first runs come in slices. The author wants to see their result.
    const end = performance.now() + FIRST_RUNS_TIMEOUT_MS;
    for (;;) {
      const node = (await this.#registry.nodes()).get(name);
      const busy = node?.synced === false && node.waitingFor === undefined && node.state === undefined;
      if (!busy || performance.now() > end) return this.#view(this.#registry.find(name), node);
      await new Promise(resolve => setTimeout(resolve, 25));
    }
  }
}

async function convertStoreError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StoreChanged) throw outOfDateFailure(error.message);
    if (error instanceof EngineFailure) throw error;
    throw new EngineFailure({
      code: 'internal',
      message: `the formula could not be written: ${(error as Error).message}`,
      hint: 'check the folder of --graph',
    });
  }
}

function refuseReadOnlyStore(store: FormulaStore, name: string): void {
  const refusal = store.refusal?.(name);
  if (refusal !== undefined) throw refusal;
}

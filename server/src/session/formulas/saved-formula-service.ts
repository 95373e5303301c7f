// What the API does with the formulas that a session keeps: shows, creates, changes and removes them. One change after the
// other; what is asked for is checked and tried before anything is written.
import type {FormulaChange, FormulaCheck, FormulaRequest, SavedFormula} from '@krtscope/shared/formulas.ts';
import {shippedSources} from '@krtscope/shared/sources.ts';
import {EngineFailure} from '../../engine/link/engine-link.ts';
import {DraftStopped} from '../../engine/supervisor/lab-process.ts';
import {badFormulaFailure, outOfDateFailure} from './api-failures.ts';
import {applyFormulaChange, pickFormulaText} from './formula-change.ts';
import type {FormulaContext} from './formula-context.ts';
import {describeCycle, findCycle} from './formula-dependencies.ts';
import {toFormulaView} from './formula-view.ts';
import {SavedFormulaRegistry} from './saved-formula-registry.ts';
import {type FormulaStore, type FormulaText, StoreChanged} from './stores/formula-store.ts';
import {FormulaStoreWatcher} from './stores/formula-store-watcher.ts';
import {compileFormulaText, type FormulaCompilation} from './trial/formula-compilation.ts';
import {resolveKind, toUnknownNameFailure} from './trial/preview.ts';
import {describeStop, tryFormula} from './trial/trial-run.ts';

/** How long an answer waits for the first runs of what was saved. */
const FIRST_RUNS_TIMEOUT_MS = 3000;

export class SavedFormulaService {
  readonly #context: FormulaContext;
  readonly #stores: readonly FormulaStore[];
  readonly #registry: SavedFormulaRegistry;
  readonly #storeWatcher: FormulaStoreWatcher;
  #queue: Promise<unknown> = Promise.resolve();

  /** New formulas go to the first of the stores. */
  constructor(ground: FormulaContext, stores: readonly FormulaStore[]) {
    this.#context = ground;
    this.#stores = stores;
    this.#registry = new SavedFormulaRegistry(ground);
    this.#storeWatcher = new FormulaStoreWatcher({
      ground,
      stores,
      kept: this.#registry,
      alone: work => this.#runAlone(work),
    });
    ground.engine.onQuarantine(({name, hash}, message) => {
      ground.quarantine.lock(hash, name, message);
      this.#registry.quarantineCode(hash, message);
    });
  }

  start(): void {
    this.#runAlone(() => this.#storeWatcher.load()).catch(error =>
      this.#context.log(`the formulas that are kept cannot be read: ${(error as Error).message}`),
    );
  }

  close(): void {
    this.#storeWatcher.close();
  }

  async list(): Promise<SavedFormula[]> {
    await this.#queue;
    const nodes = await this.#registry.nodes();
    return this.#registry
      .all()
      .map(kept => toFormulaView(kept, nodes.get(kept.stored.name)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async get(name: string): Promise<SavedFormula> {
    await this.#queue;
    const kept = this.#registry.find(name);
    return toFormulaView(kept, (await this.#registry.nodes()).get(name));
  }

  /** In which store the formula of a name is. */
  async storeOf(name: string): Promise<FormulaStore | undefined> {
    await this.#queue;
    return this.#registry.get(name)?.store;
  }

  create(request: FormulaRequest): Promise<SavedFormula> {
    return this.#runAlone(async () => {
      resolveKind(request.kind, request.input);
      const reading = await this.#compile(request);
      await this.#registry.refuseTakenName(request.name);
      await this.#addSources(request.sources);
      const checks = await this.#tryFormula(request, reading);
      const store = this.#stores[0] as FormulaStore;
      const text = await this.#withSources(pickFormulaText(request), reading);
      const stored = await convertStoreError(store.write(text, undefined));
      try {
        await this.#registry.put({stored, store, reading, checks});
      } catch (error) {
        await this.#registry.drop(stored.name);
        await store.remove(stored.name, stored.revision).catch(() => {});
        throw error;
      }
      return this.#waitForFirstRuns(stored.name);
    });
  }

  change(name: string, change: FormulaChange): Promise<SavedFormula> {
    return this.#runAlone(async () => {
      const kept = this.#registry.find(name);
      const {stored, store} = kept;
      refuseReadOnlyStore(store, name);
      if (change.revision !== undefined && change.revision !== stored.revision)
        throw outOfDateFailure(`${name} is at revision ${stored.revision}, not ${change.revision}`);
      const text = applyFormulaChange(stored, kept.reading, change);
      resolveKind(text.kind, text.input);
      const reading = await this.#compile(text, name);
      if (text.name !== name) {
        await this.#registry.refuseIfRead(name);
        await this.#registry.refuseTakenName(text.name, name);
      }
      await this.#addSources(change.sources);
      const checks = await this.#tryFormula(text, reading);
      const renamed = text.name !== name;
      const whole = await this.#withSources(text, reading);
      const now = await convertStoreError(store.write(whole, renamed ? undefined : stored.revision));
      if (renamed) {
        try {
          await convertStoreError(store.remove(name, stored.revision));
        } catch (error) {
          // Both texts would stand there, and the next start make two formulas of them.
          await store.remove(now.name, now.revision).catch(() => {});
          throw error;
        }
        await this.#registry.drop(name);
      }
      await this.#registry.put({stored: now, store, reading, checks});
      return this.#waitForFirstRuns(now.name);
    });
  }

  remove(name: string): Promise<void> {
    return this.#runAlone(async () => {
      const {stored, store} = this.#registry.find(name);
      refuseReadOnlyStore(store, name);
      await this.#registry.refuseIfRead(name);
      await convertStoreError(store.remove(name, stored.revision));
      await this.#registry.drop(name);
    });
  }

  /** Everything that can be refused before anybody else notices. */
  async #compile(text: FormulaText, formerly?: string): Promise<FormulaCompilation> {
    const reading = await compileFormulaText(text);
    if (reading.problems.length > 0) throw badFormulaFailure(reading.problems);
    const all = this.#registry.reads(text.name, reading.reads);
    if (formerly !== undefined && formerly !== text.name) all.delete(formerly);
    const circle = findCycle(text.name, all);
    if (circle === undefined) return reading;
    const place = reading.compiled?.places[circle[1] ?? ''] ?? {line: 1, column: 1};
    throw badFormulaFailure([{...place, message: describeCycle(circle)}]);
  }

  async #tryFormula({name, tests}: FormulaText, reading: FormulaCompilation): Promise<FormulaCheck[]> {
    try {
      const checks = await tryFormula(this.#context.lab, name, reading, tests);
      this.#context.quarantine.pass(reading.hash, name);
      return checks;
    } catch (error) {
      if (error instanceof DraftStopped)
        throw badFormulaFailure([{line: 1, column: 1, message: describeStop(error)}]);
      const {input, compiled} = reading;
      throw compiled === undefined ? error : toUnknownNameFailure(error, compiled, input);
    }
  }

  async #addSources(sources: readonly string[] = []): Promise<void> {
    for (const resource of sources) await this.#context.addSource(resource);
  }

  /** A source that somebody added is gone after a restart, unless who reads it brings it back. */
  async #withSources(text: FormulaText, {reads}: FormulaCompilation): Promise<FormulaText> {
    const nodes = await this.#registry.nodes();
    const added = reads.flatMap(name => {
      const {kind, resource} = nodes.get(name) ?? {};
      if (kind !== 'source' || resource === undefined || Object.hasOwn(shippedSources, name)) return [];
      return [resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`];
    });
    const {sources = []} = text;
    // Said in fewer words before: `gateways` and `gateways.gateway.networking.k8s.io` are the same.
    const missing = added.filter(one => !sources.some(said => one === said || one.startsWith(`${said}.`)));
    return missing.length === 0 ? text : {...text, sources: [...sources, ...missing]};
  }

  async #waitForFirstRuns(name: string): Promise<SavedFormula> {
    // Its first runs come in slices: who saved it wants to see how they went.
    const end = Date.now() + FIRST_RUNS_TIMEOUT_MS;
    for (;;) {
      const node = (await this.#registry.nodes()).get(name);
      const busy = node?.synced === false && node.waitingFor === undefined && node.state === undefined;
      if (!busy || Date.now() > end) return toFormulaView(this.#registry.find(name), node);
      await new Promise(resolve => setTimeout(resolve, 25));
    }
  }

  #runAlone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.then(
      () => {},
      () => {},
    );
    return turn;
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
      hint: 'look at the folder that --graph names',
    });
  }
}

function refuseReadOnlyStore(store: FormulaStore, name: string): void {
  const refusal = store.refusal?.(name);
  if (refusal !== undefined) throw refusal;
}

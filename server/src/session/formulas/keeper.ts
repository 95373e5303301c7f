// What the API does with the formulas that a session keeps: shows, creates, changes and removes them. One change after the
// other; what is asked for is checked and tried before anything is written.
import type {Formula, FormulaChange, FormulaCheck, FormulaRequest} from '@krtscope/shared/formulas.ts';
import {shippedSources} from '@krtscope/shared/sources.ts';
import {EngineFailure} from '../../engine/link/link.ts';
import {DraftStopped} from '../../engine/supervisor/lab.ts';
import {changed, plain} from './changed-text.ts';
import {circleOf, circleWords} from './dependencies.ts';
import {FollowedStores} from './followed-stores.ts';
import type {Ground} from './ground.ts';
import {KeptFormulas} from './kept-formulas.ts';
import {kindOf, unknownName} from './preview.ts';
import {type ReadFormula, read} from './reading.ts';
import {badFormula, outOfDate} from './refusals.ts';
import {shown} from './shown.ts';
import {type FormulaStore, type FormulaText, StoreChanged} from './store.ts';
import {stoppedWords, tryOut} from './trial.ts';

/** How long an answer waits for the first runs of what was saved. */
const PATIENCE_MS = 3000;

export class Keeper {
  readonly #ground: Ground;
  readonly #stores: readonly FormulaStore[];
  readonly #kept: KeptFormulas;
  readonly #followed: FollowedStores;
  #turn: Promise<unknown> = Promise.resolve();

  /** New formulas go to the first of the stores. */
  constructor(ground: Ground, stores: readonly FormulaStore[]) {
    this.#ground = ground;
    this.#stores = stores;
    this.#kept = new KeptFormulas(ground);
    this.#followed = new FollowedStores({ground, stores, kept: this.#kept, alone: work => this.#alone(work)});
    ground.engine.onQuarantine(({name, hash}, message) => {
      ground.quarantine.lock(hash, name, message);
      this.#kept.lock(hash, message);
    });
  }

  start(): void {
    this.#alone(() => this.#followed.load()).catch(error =>
      this.#ground.log(`the formulas that are kept cannot be read: ${(error as Error).message}`),
    );
  }

  close(): void {
    this.#followed.close();
  }

  async list(): Promise<Formula[]> {
    await this.#turn;
    const nodes = await this.#kept.nodes();
    return this.#kept
      .all()
      .map(kept => shown(kept, nodes.get(kept.stored.name)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async get(name: string): Promise<Formula> {
    await this.#turn;
    const kept = this.#kept.find(name);
    return shown(kept, (await this.#kept.nodes()).get(name));
  }

  /** In which store the formula of a name is. */
  async storeOf(name: string): Promise<FormulaStore | undefined> {
    await this.#turn;
    return this.#kept.get(name)?.store;
  }

  create(request: FormulaRequest): Promise<Formula> {
    return this.#alone(async () => {
      kindOf(request.kind, request.input);
      const reading = await this.#checked(request);
      await this.#kept.refuseTaken(request.name);
      await this.#addSources(request.sources);
      const checks = await this.#tried(request, reading);
      const store = this.#stores[0] as FormulaStore;
      const text = await this.#withSources(plain(request), reading);
      const stored = await written(store.write(text, undefined));
      try {
        await this.#kept.put({stored, store, reading, checks});
      } catch (error) {
        await this.#kept.drop(stored.name);
        await store.remove(stored.name, stored.revision).catch(() => {});
        throw error;
      }
      return this.#answer(stored.name);
    });
  }

  change(name: string, change: FormulaChange): Promise<Formula> {
    return this.#alone(async () => {
      const kept = this.#kept.find(name);
      const {stored, store} = kept;
      refuseElsewhere(store, name);
      if (change.revision !== undefined && change.revision !== stored.revision)
        throw outOfDate(`${name} is at revision ${stored.revision}, not ${change.revision}`);
      const text = changed(stored, kept.reading, change);
      kindOf(text.kind, text.input);
      const reading = await this.#checked(text, name);
      if (text.name !== name) {
        await this.#kept.refuseRead(name);
        await this.#kept.refuseTaken(text.name, name);
      }
      await this.#addSources(change.sources);
      const checks = await this.#tried(text, reading);
      const renamed = text.name !== name;
      const whole = await this.#withSources(text, reading);
      const now = await written(store.write(whole, renamed ? undefined : stored.revision));
      if (renamed) {
        try {
          await written(store.remove(name, stored.revision));
        } catch (error) {
          // Both texts would stand there, and the next start make two formulas of them.
          await store.remove(now.name, now.revision).catch(() => {});
          throw error;
        }
        await this.#kept.drop(name);
      }
      await this.#kept.put({stored: now, store, reading, checks});
      return this.#answer(now.name);
    });
  }

  remove(name: string): Promise<void> {
    return this.#alone(async () => {
      const {stored, store} = this.#kept.find(name);
      refuseElsewhere(store, name);
      await this.#kept.refuseRead(name);
      await written(store.remove(name, stored.revision));
      await this.#kept.drop(name);
    });
  }

  /** Everything that can be refused before anybody else notices. */
  async #checked(text: FormulaText, formerly?: string): Promise<ReadFormula> {
    const reading = await read(text);
    if (reading.problems.length > 0) throw badFormula(reading.problems);
    const all = this.#kept.reads(text.name, reading.reads);
    if (formerly !== undefined && formerly !== text.name) all.delete(formerly);
    const circle = circleOf(text.name, all);
    if (circle === undefined) return reading;
    const place = reading.compiled?.places[circle[1] ?? ''] ?? {line: 1, column: 1};
    throw badFormula([{...place, message: circleWords(circle)}]);
  }

  async #tried({name, tests}: FormulaText, reading: ReadFormula): Promise<FormulaCheck[]> {
    try {
      const checks = await tryOut(this.#ground.lab, name, reading, tests);
      this.#ground.quarantine.pass(reading.hash, name);
      return checks;
    } catch (error) {
      if (error instanceof DraftStopped)
        throw badFormula([{line: 1, column: 1, message: stoppedWords(error)}]);
      const {input, compiled} = reading;
      throw compiled === undefined ? error : unknownName(error, compiled, input);
    }
  }

  async #addSources(sources: readonly string[] = []): Promise<void> {
    for (const resource of sources) await this.#ground.addSource(resource);
  }

  /** A source that somebody added is gone after a restart, unless who reads it brings it back. */
  async #withSources(text: FormulaText, {reads}: ReadFormula): Promise<FormulaText> {
    const nodes = await this.#kept.nodes();
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

  async #answer(name: string): Promise<Formula> {
    // Its first runs come in slices: who saved it wants to see how they went.
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const node = (await this.#kept.nodes()).get(name);
      const busy = node?.synced === false && node.waitingFor === undefined && node.state === undefined;
      if (!busy || Date.now() > end) return shown(this.#kept.find(name), node);
      await new Promise(resolve => setTimeout(resolve, 25));
    }
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.then(
      () => {},
      () => {},
    );
    return turn;
  }
}

async function written<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StoreChanged) throw outOfDate(error.message);
    if (error instanceof EngineFailure) throw error;
    throw new EngineFailure({
      code: 'internal',
      message: `the formula could not be written: ${(error as Error).message}`,
      hint: 'look at the folder that --graph names',
    });
  }
}

function refuseElsewhere(store: FormulaStore, name: string): void {
  const refusal = store.refusal?.(name);
  if (refusal !== undefined) throw refusal;
}

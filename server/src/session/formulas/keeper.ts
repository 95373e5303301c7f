// The formulas that a session keeps: from texts in stores to collections of the engine, and back to what the API shows.
// One change after the other; what the API asks for is checked before anything is written.
import type {Formula, FormulaChange, FormulaCheck, FormulaRequest} from '@krtscope/shared/formulas.ts';
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {shippedSources} from '@krtscope/shared/sources.ts';
import type {FormulaOrder} from '../../engine/link/commands.ts';
import {type Engine, EngineFailure} from '../../engine/link/link.ts';
import {DraftStopped, type Lab} from '../../engine/supervisor/lab.ts';
import {changed, plain} from './changed-text.ts';
import {circleOf, inOrder} from './dependencies.ts';
import {firstRows} from './first-rows.ts';
import {kindOf, unknownName} from './preview.ts';
import type {Quarantine} from './quarantine.ts';
import {errorOf, orderOf, type ReadFormula, read} from './reading.ts';
import {badFormula, inUse, outOfDate, taken, unknownFormula} from './refusals.ts';
import {type Showable, shown} from './shown.ts';
import {type FormulaStore, type FormulaText, StoreChanged, type StoredFormula} from './store.ts';
import {tryOut} from './trial.ts';
import {WantedSources} from './wanted-sources.ts';

export interface Ground {
  readonly engine: Engine;
  readonly lab: Lab;
  readonly quarantine: Quarantine;
  /** Resolves also when it is a source already. */
  addSource(resource: string): Promise<void>;
  log(problem: string): void;
}

interface Kept extends Showable {
  readonly store: FormulaStore;
  /** As the engine process was last told; undefined: it would not have it. */
  readonly order: FormulaOrder | undefined;
}

/** How long an answer waits for the first runs of what was saved. */
const PATIENCE_MS = 3000;

export class Keeper {
  readonly #ground: Ground;
  readonly #stores: readonly FormulaStore[];
  readonly #kept = new Map<string, Kept>();
  readonly #wanted: WantedSources;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** New formulas go to the first of the stores. */
  constructor(ground: Ground, stores: readonly FormulaStore[]) {
    this.#ground = ground;
    this.#stores = stores;
    this.#wanted = new WantedSources(resource => ground.addSource(resource));
    ground.engine.onQuarantine(({name, hash}, message) => {
      ground.quarantine.lock(hash, name, message);
      this.#locked(hash, message);
    });
  }

  /** Reads the stores and makes what they hold, each after what it reads. */
  start(): void {
    void this.#alone(() => this.#load());
  }

  close(): void {
    this.#closed = true;
    this.#wanted.close();
    for (const store of this.#stores) store.close();
  }

  async list(): Promise<Formula[]> {
    await this.#turn;
    const nodes = await this.#nodes();
    return [...this.#kept.values()]
      .map(kept => shown(kept, nodes.get(kept.stored.name)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async get(name: string): Promise<Formula> {
    await this.#turn;
    const kept = this.#find(name);
    return shown(kept, (await this.#nodes()).get(name));
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
      await this.#refuseTaken(request.name);
      await this.#addSources(request.sources);
      const checks = await this.#tried(request, reading);
      const store = this.#stores[0] as FormulaStore;
      const text = await this.#withSources(plain(request), reading);
      const stored = await written(store.write(text, undefined));
      try {
        await this.#put(stored, store, reading, checks);
      } catch (error) {
        await store.remove(stored.name, stored.revision).catch(() => {});
        throw error;
      }
      return this.#answer(stored.name);
    });
  }

  change(name: string, change: FormulaChange): Promise<Formula> {
    return this.#alone(async () => {
      const kept = this.#find(name);
      const {stored, store} = kept;
      refuseElsewhere(store, name);
      if (change.revision !== undefined && change.revision !== stored.revision)
        throw outOfDate(`${name} is at revision ${stored.revision}, not ${change.revision}`);
      const text = changed(stored, kept.reading, change);
      kindOf(text.kind, text.input);
      const reading = await this.#checked(text, name);
      if (text.name !== name) {
        await this.#refuseRead(name);
        await this.#refuseTaken(text.name, name);
      }
      await this.#addSources(change.sources);
      const checks = await this.#tried(text, reading);
      const renamed = text.name !== name;
      const whole = await this.#withSources(text, reading);
      const now = await written(store.write(whole, renamed ? undefined : stored.revision));
      if (renamed) {
        await written(store.remove(name, stored.revision));
        await this.#drop(name);
      }
      await this.#put(now, store, reading, checks);
      return this.#answer(now.name);
    });
  }

  remove(name: string): Promise<void> {
    return this.#alone(async () => {
      const {stored, store} = this.#find(name);
      refuseElsewhere(store, name);
      await this.#refuseRead(name);
      await written(store.remove(name, stored.revision));
      await this.#drop(name);
    });
  }

  async #load(): Promise<void> {
    const found: {stored: StoredFormula; store: FormulaStore; reading: ReadFormula}[] = [];
    for (const store of this.#stores) {
      const texts = await store.open((name, stored) => {
        void this.#alone(() => this.#noticed(name, stored, store)).catch(error =>
          this.#ground.log(`the formula ${name}: ${(error as Error).message}`),
        );
      });
      for (const stored of texts) found.push({stored, store, reading: await read(stored)});
    }
    const all = found.map(one => ({...one, name: one.stored.name, reads: one.reading.reads}));
    for (const {stored} of all) this.#wanted.add(stored.sources);
    const {quarantine, engine} = this.#ground;
    if (all.some(({reading}) => !quarantine.knows(reading.hash))) await firstRows(engine, () => this.#closed);
    for (const {stored, store, reading} of inOrder(all)) {
      if (!quarantine.knows(reading.hash)) await this.#triedFile(stored, reading);
      await this.#take(stored, store, reading, undefined).catch(error =>
        this.#ground.log(`the formula ${stored.name}: ${(error as Error).message}`),
      );
    }
  }

  /** Somebody else wrote to a store. */
  async #noticed(name: string, stored: StoredFormula | undefined, store: FormulaStore): Promise<void> {
    const kept = this.#kept.get(name);
    const other = kept !== undefined && kept.store !== store;
    if (this.#closed || (other && this.#before(kept.store, store))) return;
    if (stored === undefined) {
      if (kept !== undefined && !other) await this.#drop(name, true);
      return;
    }
    if (!other && kept?.stored.revision === stored.revision) return;
    this.#wanted.add(stored.sources);
    const reading = await read(stored);
    // An edit lifts a quarantine; the same code in another dress is no edit.
    const checks = await this.#triedFile(stored, reading);
    await this.#take(stored, store, reading, checks);
  }

  /** Where two stores have a name, the first of them wins. */
  #before(one: FormulaStore, other: FormulaStore): boolean {
    return this.#stores.indexOf(one) < this.#stores.indexOf(other);
  }

  async #triedFile(stored: StoredFormula, reading: ReadFormula): Promise<FormulaCheck[] | undefined> {
    const {quarantine, lab} = this.#ground;
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

  /** Takes a text as it is: what is wrong with it is shown, and what ran before goes on. */
  async #take(
    stored: StoredFormula,
    store: FormulaStore,
    reading: ReadFormula,
    checks: FormulaCheck[] | undefined,
  ): Promise<void> {
    const before = this.#kept.get(stored.name)?.order;
    const trouble = this.#troubleOf(stored, reading);
    const broken = trouble?.state === 'failing';
    const order =
      broken && before?.compiled !== undefined && before.trouble?.state !== 'quarantined'
        ? {...before, trouble}
        : orderOf(stored, broken ? {...reading, compiled: undefined} : reading, trouble);
    await this.#tell(stored, store, reading, checks, order);
  }

  #troubleOf(stored: StoredFormula, {problems, hash, reads}: ReadFormula): FormulaOrder['trouble'] {
    if (problems.length > 0) return {state: 'failing', error: errorOf(problems)};
    const twin = this.#twinOf(stored.name, stored.name);
    if (twin !== undefined)
      return {state: 'failing', error: {message: `there is a formula ${twin} already: names ignore case`}};
    const circle = circleOf(stored.name, this.#reads(stored.name, reads));
    if (circle !== undefined) return {state: 'failing', error: {message: circleWords(circle)}};
    const locked = this.#ground.quarantine.reason(hash);
    return locked === undefined ? undefined : {state: 'quarantined', error: {message: locked}};
  }

  /** Everything that can be refused before anybody else notices. */
  async #checked(text: FormulaText, formerly?: string): Promise<ReadFormula> {
    const reading = await read(text);
    if (reading.problems.length > 0) throw badFormula(reading.problems);
    const all = this.#reads(text.name, reading.reads);
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

  #put(
    stored: StoredFormula,
    store: FormulaStore,
    reading: ReadFormula,
    checks: FormulaCheck[],
  ): Promise<void> {
    return this.#tell(stored, store, reading, checks, orderOf(stored, reading));
  }

  async #tell(
    stored: StoredFormula,
    store: FormulaStore,
    reading: ReadFormula,
    checks: FormulaCheck[] | undefined,
    order: FormulaOrder,
  ): Promise<void> {
    try {
      await this.#ground.engine.command({command: 'put-formula', formula: order});
      this.#kept.set(stored.name, {stored, store, reading, checks, order, trouble: order.trouble});
    } catch (error) {
      const trouble = {state: 'failing' as const, error: {message: (error as EngineFailure).message}};
      if (checks === undefined)
        this.#kept.set(stored.name, {stored, store, reading, checks, order: undefined, trouble});
      else throw error;
    }
  }

  async #drop(name: string, force = false): Promise<void> {
    const kept = this.#kept.get(name);
    this.#kept.delete(name);
    if (kept?.order !== undefined)
      await this.#ground.engine.command({command: 'drop-formula', name, ...(force ? {force} : {})});
  }

  #locked(hash: string, message: string): void {
    for (const [name, kept] of this.#kept) {
      if (kept.order?.hash !== hash) continue;
      const trouble = {state: 'quarantined' as const, error: {message}};
      this.#kept.set(name, {...kept, order: {...kept.order, trouble}, trouble});
    }
  }

  async #refuseTaken(name: string, formerly?: string): Promise<void> {
    const twin = this.#twinOf(name, formerly);
    if (twin !== undefined || this.#kept.has(name)) throw taken(twin ?? name);
    for (const node of (await this.#nodes()).keys())
      if (node !== formerly && node.toLowerCase() === name.toLowerCase()) throw taken(node);
  }

  #twinOf(name: string, but: string | undefined): string | undefined {
    for (const other of this.#kept.keys())
      if (other !== but && other.toLowerCase() === name.toLowerCase()) return other;
    return undefined;
  }

  /** Who names it, and who has it as input or fetches from it. */
  async #refuseRead(name: string): Promise<void> {
    const named = [...this.#kept.values()]
      .filter(({stored, reading}) => stored.name !== name && reading.reads.includes(name))
      .map(({stored}) => stored.name);
    const {edges} = (await this.#ground.engine.ask({ask: 'graph'})) as Graph;
    const readers = edges.filter(({from, to}) => from === name && to !== name).map(({to}) => to);
    const all = [...new Set([...named, ...readers])].sort();
    if (all.length > 0) throw inUse(name, all);
  }

  #reads(name: string, reads: readonly string[]): Map<string, readonly string[]> {
    const all = new Map<string, readonly string[]>();
    for (const [other, {reading}] of this.#kept) all.set(other, reading.reads);
    return all.set(name, reads);
  }

  async #addSources(sources: readonly string[] = []): Promise<void> {
    for (const resource of sources) await this.#ground.addSource(resource);
  }

  /** A source that somebody added is gone after a restart, unless who reads it brings it back. */
  async #withSources(text: FormulaText, {reads}: ReadFormula): Promise<FormulaText> {
    const nodes = await this.#nodes();
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

  #find(name: string): Kept {
    const kept = this.#kept.get(name);
    if (kept === undefined) throw unknownFormula(name);
    return kept;
  }

  async #answer(name: string): Promise<Formula> {
    // Its first runs come in slices: who saved it wants to see how they went.
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const node = (await this.#nodes()).get(name);
      const busy = node?.synced === false && node.waitingFor === undefined && node.state === undefined;
      if (!busy || Date.now() > end) return shown(this.#find(name), node);
      await new Promise(resolve => setTimeout(resolve, 25));
    }
  }

  async #nodes(): Promise<Map<string, CollectionNode>> {
    const {collections} = (await this.#ground.engine.ask({ask: 'graph'})) as Graph;
    return new Map(collections.map(node => [node.name, node]));
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

const circleWords = (circle: readonly string[]) => `this is a circle: ${circle.join(' → ')}`;
const stoppedWords = ({message, input}: DraftStopped) =>
  `the formula was ended: ${message}${input === undefined || input === '' ? '' : ` (at ${input})`}`;

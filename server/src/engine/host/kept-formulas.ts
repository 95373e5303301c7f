// The formulas that somebody keeps, as collections of the running graph: made, replaced and dropped by command. One
// that cannot run stands there all the same, empty and not synced, so that what reads it waits for it by name.
import type {RowError} from '@krtscope/shared/formulas.ts';
import type {CollectionKind, FormulaTrouble} from '@krtscope/shared/words.ts';
import type {Compiled} from '../../formula/compile/compile.ts';
import {Formula} from '../../formula/confine/formula.ts';
import {Keys, labelsOf, namespaceOf} from '../../formula/confine/keys.ts';
import {pathIndex} from '../../formula/confine/path-index.ts';
import type {Surroundings} from '../../formula/confine/scope.ts';
import {
  type Collection,
  type DerivedCollection,
  type DerivedSingleton,
  type HandlerContext,
  type Index,
  newCollection,
  newManyCollection,
  newSingleton,
  newStaticCollection,
  newSyncLatch,
} from '../../krt/index.ts';
import type {FormulaOrder} from '../link/commands.ts';
import type {Announcer} from './announcer.ts';
import {CommandRefused} from './failures.ts';
import type {LiveGraph} from './live.ts';

type Run = (ctx: HandlerContext, item: unknown) => unknown;
type Running = DerivedCollection<unknown, unknown> | DerivedSingleton<unknown>;

/** One formula of the graph. */
interface Kept {
  order: FormulaOrder;
  keys: Keys;
  /** Absent only while it is being made. */
  collection: Collection<unknown> | undefined;
  /** Absent while it only holds the place. */
  running: Running | undefined;
  trouble: {state: FormulaTrouble; error: RowError} | undefined;
}

export interface FormulaFacts {
  formula: true;
  kind: CollectionKind;
  state?: FormulaTrouble;
  error?: RowError;
}

const kinds = {one: 'derived', many: 'many', singleton: 'singleton'} as const;
const nothing = () => undefined;

export class KeptFormulas implements Surroundings {
  readonly #live: LiveGraph;
  readonly #announcer: Announcer;
  readonly #kept = new Map<string, Kept>();
  readonly #indexes = new WeakMap<Collection<unknown>, Map<string, Index<unknown, string>>>();

  constructor(live: LiveGraph, announcer: Announcer) {
    this.#live = live;
    this.#announcer = announcer;
  }

  /** Inside regraph(). Throws CommandRefused, and has changed nothing then. */
  put(order: FormulaOrder): void {
    const {name} = order;
    const kept = this.#kept.get(name);
    if (kept === undefined) {
      if (this.#live.collection(name) !== undefined)
        throw new CommandRefused({
          code: 'taken',
          message: `there is a collection "${name}" already`,
          hint: 'take another name',
        });
      this.#make(order);
      return;
    }
    const stays = canStay(kept.order, order) && this.#missing(order) === undefined;
    if (!stays || kept.running === undefined) {
      this.#remake([name], order);
      return;
    }
    const formula = kept.order.hash === order.hash ? undefined : this.#formulaOf(order);
    kept.order = order;
    kept.trouble = order.trouble;
    if (formula === undefined) return;
    kept.keys = formula.keys;
    (kept.running as DerivedCollection<unknown, unknown>).replaceFormula(this.#runOf(formula, order));
  }

  /** Whether the collection of this number runs what somebody typed. */
  has(uid: number): boolean {
    for (const {collection} of this.#kept.values()) if (collection?.uid === uid) return true;
    return false;
  }

  /** Inside regraph(). Throws CommandRefused while others read it; with `force` they wait for it from then on. */
  drop(name: string, force = false): void {
    const kept = this.#kept.get(name);
    if (kept === undefined)
      throw new CommandRefused({
        code: 'unknown-collection',
        message: `there is no formula "${name}"`,
        hint: 'GET /api/v1/formulas lists them',
      });
    if (!force) {
      this.refuseIfNamed(name);
      const readers = this.#live.readersOf(name).filter(reader => reader !== name);
      if (readers.length > 0) throw inUse(name, readers);
    }
    this.#remake([name], undefined, name);
  }

  /** Throws CommandRefused if a formula's code names the collection: it need not have fetched from it yet. */
  refuseIfNamed(name: string): void {
    const readers = [...this.#kept.values()]
      .filter(({order}) => order.name !== name && order.reads.includes(name))
      .map(({order}) => order.name);
    if (readers.length > 0) throw inUse(name, readers.sort());
  }

  /** Makes those that waited for a collection which is there now. */
  settle(): void {
    const ready = [...this.#kept.values()].filter(
      ({running, order}) => running === undefined && canRun(order) && this.#missing(order) === undefined,
    );
    if (ready.length > 0) this.#remake(ready.map(({order}) => order.name));
  }

  orders(): FormulaOrder[] {
    return [...this.#kept.values()].map(({order}) => order);
  }

  facts(name: string): FormulaFacts | undefined {
    const kept = this.#kept.get(name);
    if (kept === undefined) return undefined;
    const {order, trouble} = kept;
    return {formula: true, kind: kinds[order.kind], ...trouble};
  }

  /**
   * Calls `work` with the run of a text that the formula had, and with undefined if it has that text now or is no
   * formula of ours. Does not call it where nothing can run so: it was another collection then.
   */
  runAs<R>(name: string, then: FormulaOrder | undefined, work: (run: Run | undefined) => R): R | undefined {
    const kept = this.#kept.get(name);
    if (kept === undefined) return work(undefined);
    if (then === undefined || !canStay(kept.order, then) || kept.running === undefined) return undefined;
    if (then.hash === kept.order.hash) return work(undefined);
    const formula = this.#formulaOf(then);
    const {keys} = kept;
    kept.keys = formula.keys;
    try {
      return work(this.#runOf(formula, then));
    } finally {
      kept.keys = keys;
    }
  }

  collection(name: string): Collection<unknown> | undefined {
    return this.#live.collection(name);
  }

  index(collection: Collection<unknown>, path: string): Index<unknown, string> {
    const known = this.#indexes.get(collection) ?? new Map<string, Index<unknown, string>>();
    this.#indexes.set(collection, known);
    let index = known.get(path);
    if (index === undefined) {
      index = pathIndex(collection, path);
      known.set(path, index);
    }
    return index;
  }

  /** These, and all that read them, stop and are made anew: what they are built over is another collection now. */
  #remake(names: readonly string[], changed?: FormulaOrder, gone?: string): void {
    const affected = this.#withReaders(names);
    for (const kept of [...affected].reverse()) this.#clear(kept);
    this.#live.engine.batch(() => {
      for (const {collection} of affected) collection?.stop();
      for (const kept of affected) this.#kept.delete(kept.order.name);
      for (const {order} of affected) {
        if (order.name === gone) continue;
        const own = order.name === changed?.name ? changed : order;
        this.#make(own);
      }
    });
  }

  /** In an order in which each comes after what it reads. */
  #withReaders(names: readonly string[]): Kept[] {
    const affected = new Set(names);
    for (let before = -1; before !== affected.size; ) {
      before = affected.size;
      for (const {order} of this.#kept.values())
        if (order.reads.some(one => affected.has(one))) affected.add(order.name);
    }
    const sorted = new Set<Kept>();
    const visit = (name: string, above: readonly string[]): void => {
      const kept = this.#kept.get(name);
      if (kept === undefined || !affected.has(name) || above.includes(name) || sorted.has(kept)) return;
      for (const read of kept.order.reads) visit(read, [...above, name]);
      sorted.add(kept);
    };
    for (const name of affected) visit(name, []);
    return [...sorted];
  }

  /** Its rows go in a batch of their own: the recording has them as deleted, with the formula as the cause. */
  #clear({running}: Kept): void {
    (running as DerivedCollection<unknown, unknown> | undefined)?.replaceFormula(nothing);
  }

  #make(order: FormulaOrder): void {
    const missing = this.#missing(order);
    if (!canRun(order)) return this.#placeholder(order, order.trouble);
    if (missing !== undefined) {
      const error = {message: `waits for ${missing}`};
      return this.#placeholder(order, {state: 'failing', error});
    }
    let formula: Formula;
    try {
      formula = this.#formulaOf(order);
    } catch (error) {
      return this.#placeholder(order, {state: 'failing', error: {message: (error as Error).message}});
    }
    const kept: Kept = {
      order,
      keys: formula.keys,
      trouble: order.trouble,
      collection: undefined,
      running: undefined,
    };
    // Its first batch asks what it is.
    this.#kept.set(order.name, kept);
    const {engine} = this.#live;
    const options = {
      name: order.name,
      key: (row: unknown) => kept.keys.of(row),
      labels: labelsOf,
      namespace: namespaceOf,
    };
    const run = this.#runOf(formula, order);
    const input = order.input === undefined ? undefined : this.#live.collection(order.input);
    const running: Running =
      input === undefined
        ? newSingleton(engine, run as (ctx: HandlerContext) => unknown, options)
        : order.kind === 'many'
          ? newManyCollection(
              input,
              run as (ctx: HandlerContext, item: unknown) => Iterable<unknown>,
              options,
            )
          : newCollection(input, run, options);
    kept.collection = running as Collection<unknown>;
    kept.running = running;
  }

  #placeholder(order: FormulaOrder, trouble: Kept['trouble']): void {
    const {engine} = this.#live;
    const kept: Kept = {
      order,
      keys: new Keys(order.kind),
      collection: undefined,
      running: undefined,
      trouble,
    };
    this.#kept.set(order.name, kept);
    kept.collection = newStaticCollection<unknown>(engine, [], {
      name: order.name,
      synced: newSyncLatch(engine),
    });
  }

  #formulaOf({name, kind, compiled, hash}: FormulaOrder): Formula {
    const spec = {name, kind, compiled: compiled as Compiled};
    return new Formula(spec, this, {onRun: () => this.#announcer.run(name, hash)});
  }

  #runOf(formula: Formula, {kind}: FormulaOrder): Run {
    return kind === 'singleton' ? ctx => formula.run(ctx, undefined) : (ctx, item) => formula.run(ctx, item);
  }

  #missing({reads}: FormulaOrder): string | undefined {
    return reads.find(name => this.#live.collection(name) === undefined);
  }
}

function canRun({compiled, trouble}: FormulaOrder): boolean {
  return compiled !== undefined && trouble?.state !== 'quarantined';
}

/** Whether a new text can take the place of the old one in the same collection. */
function canStay(old: FormulaOrder, now: FormulaOrder): boolean {
  return canRun(now) && old.kind === now.kind && old.input === now.input;
}

function inUse(name: string, readers: string[]): CommandRefused {
  return new CommandRefused({
    code: 'in-use',
    message: `${name} is read by ${readers.join(', ')}`,
    hint: 'change or delete those first',
    readers,
  });
}

// The formulas of a session by name, and what the engine process was told of each.
import type {FormulaCheck} from '@krtscope/shared/formulas.ts';
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {FormulaOrder} from '../../engine/link/commands.ts';
import type {EngineFailure} from '../../engine/link/link.ts';
import {circleOf, circleWords} from './dependencies.ts';
import type {Ground} from './ground.ts';
import {errorOf, orderOf, type ReadFormula} from './reading.ts';
import {inUse, taken, unknownFormula} from './refusals.ts';
import type {Showable} from './shown.ts';
import type {FormulaStore, StoredFormula} from './store.ts';

/** A text with what is known of it. */
export interface Tried {
  readonly stored: StoredFormula;
  readonly store: FormulaStore;
  readonly reading: ReadFormula;
  /** Undefined: nobody waits for them, so what the engine refuses is shown and not thrown. */
  readonly checks: FormulaCheck[] | undefined;
}

interface Kept extends Showable {
  readonly store: FormulaStore;
  /** What the engine process has of it; undefined: it would not have any. */
  readonly order: FormulaOrder | undefined;
}

export class KeptFormulas {
  readonly #ground: Pick<Ground, 'engine' | 'quarantine'>;
  readonly #kept = new Map<string, Kept>();

  constructor(ground: Pick<Ground, 'engine' | 'quarantine'>) {
    this.#ground = ground;
  }

  all(): Kept[] {
    return [...this.#kept.values()];
  }

  get(name: string): Kept | undefined {
    return this.#kept.get(name);
  }

  find(name: string): Kept {
    const kept = this.#kept.get(name);
    if (kept === undefined) throw unknownFormula(name);
    return kept;
  }

  /** Makes a collection of it; throws what the engine process refuses, and keeps it with that. */
  put(tried: Tried): Promise<void> {
    return this.#tell(tried, orderOf(tried.stored, tried.reading));
  }

  /** Takes a text as it is: what is wrong with it is shown, and what ran before goes on. */
  async take(tried: Tried): Promise<void> {
    const {stored, reading} = tried;
    const before = this.#kept.get(stored.name)?.order;
    const trouble = this.#troubleOf(stored, reading);
    const broken = trouble?.state === 'failing';
    const order =
      broken && before?.compiled !== undefined && before.trouble?.state !== 'quarantined'
        ? {...before, trouble}
        : orderOf(stored, broken ? {...reading, compiled: undefined} : reading, trouble);
    await this.#tell(tried, order);
  }

  async drop(name: string, force = false): Promise<void> {
    const kept = this.#kept.get(name);
    this.#kept.delete(name);
    if (kept?.order !== undefined)
      await this.#ground.engine.command({command: 'drop-formula', name, ...(force ? {force} : {})});
  }

  /** The engine process was ended for this code. */
  lock(hash: string, message: string): void {
    for (const [name, kept] of this.#kept) {
      if (kept.order?.hash !== hash) continue;
      const trouble = {state: 'quarantined' as const, error: {message}};
      this.#kept.set(name, {...kept, order: {...kept.order, trouble}, trouble});
    }
  }

  async refuseTaken(name: string, formerly?: string): Promise<void> {
    const twin = this.#twinOf(name, formerly);
    if (twin !== undefined || this.#kept.has(name)) throw taken(twin ?? name);
    for (const node of (await this.nodes()).keys())
      if (node !== formerly && node.toLowerCase() === name.toLowerCase()) throw taken(node);
  }

  /** Who names it, and who has it as input or fetches from it. */
  async refuseRead(name: string): Promise<void> {
    const named = this.all()
      .filter(({stored, reading}) => stored.name !== name && reading.reads.includes(name))
      .map(({stored}) => stored.name);
    const {edges} = await this.#graph();
    const readers = edges.filter(({from, to}) => from === name && to !== name).map(({to}) => to);
    const all = [...new Set([...named, ...readers])].sort();
    if (all.length > 0) throw inUse(name, all);
  }

  /** What every formula reads, with this one as it would be. */
  reads(name: string, reads: readonly string[]): Map<string, readonly string[]> {
    const all = new Map<string, readonly string[]>();
    for (const [other, {reading}] of this.#kept) all.set(other, reading.reads);
    return all.set(name, reads);
  }

  /** The collections there are now, by name. */
  async nodes(): Promise<Map<string, CollectionNode>> {
    const {collections} = await this.#graph();
    return new Map(collections.map(node => [node.name, node]));
  }

  async #graph(): Promise<Graph> {
    return (await this.#ground.engine.ask({ask: 'graph'})) as Graph;
  }

  async #tell({stored, store, reading, checks}: Tried, order: FormulaOrder): Promise<void> {
    try {
      await this.#ground.engine.command({command: 'put-formula', formula: order});
      this.#kept.set(stored.name, {stored, store, reading, checks, order, trouble: order.trouble});
    } catch (error) {
      // It stands in the store all the same, and what ran before goes on.
      const trouble = {state: 'failing' as const, error: {message: (error as EngineFailure).message}};
      const before = this.#kept.get(stored.name)?.order;
      this.#kept.set(stored.name, {stored, store, reading, checks, order: before, trouble});
      if (checks !== undefined) throw error;
    }
  }

  #troubleOf(stored: StoredFormula, {problems, hash, reads}: ReadFormula): FormulaOrder['trouble'] {
    if (problems.length > 0) return {state: 'failing', error: errorOf(problems)};
    const twin = this.#twinOf(stored.name, stored.name);
    if (twin !== undefined)
      return {state: 'failing', error: {message: `there is a formula ${twin} already: names ignore case`}};
    const circle = circleOf(stored.name, this.reads(stored.name, reads));
    if (circle !== undefined) return {state: 'failing', error: {message: circleWords(circle)}};
    const locked = this.#ground.quarantine.reason(hash);
    return locked === undefined ? undefined : {state: 'quarantined', error: {message: locked}};
  }

  #twinOf(name: string, but: string | undefined): string | undefined {
    for (const other of this.#kept.keys())
      if (other !== but && other.toLowerCase() === name.toLowerCase()) return other;
    return undefined;
  }
}

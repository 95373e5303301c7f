// The formulas of a session by name, and what the engine process was told of each.
import type {FormulaCheck} from '@krtscope/shared/formulas.ts';
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {InstallableFormula} from '../../engine/link/commands.ts';
import type {EngineFailure} from '../../engine/link/engine-link.ts';
import {inUseFailure, nameTakenFailure, unknownFormulaFailure} from './api-failures.ts';
import type {FormulaContext} from './formula-context.ts';
import {describeCycle, findCycle} from './formula-dependencies.ts';
import type {ViewableFormula} from './formula-view.ts';
import type {FormulaStore, StoredFormula} from './stores/formula-store.ts';
import {type FormulaCompilation, firstProblem, toFormulaOrder} from './trial/formula-compilation.ts';

/** A text with what is known of it. */
export interface CompiledStoredFormula {
  readonly stored: StoredFormula;
  readonly store: FormulaStore;
  readonly reading: FormulaCompilation;
  /** Undefined: nobody waits for them, so what the engine refuses is shown and not thrown. */
  readonly checks: FormulaCheck[] | undefined;
}

interface RegisteredFormula extends ViewableFormula {
  readonly store: FormulaStore;
  /** What the engine process has of it; undefined: it would not have any. */
  readonly order: InstallableFormula | undefined;
}

export class SavedFormulaRegistry {
  readonly #context: Pick<FormulaContext, 'engine' | 'quarantine'>;
  readonly #formulas = new Map<string, RegisteredFormula>();

  constructor(ground: Pick<FormulaContext, 'engine' | 'quarantine'>) {
    this.#context = ground;
  }

  all(): RegisteredFormula[] {
    return [...this.#formulas.values()];
  }

  get(name: string): RegisteredFormula | undefined {
    return this.#formulas.get(name);
  }

  find(name: string): RegisteredFormula {
    const kept = this.#formulas.get(name);
    if (kept === undefined) throw unknownFormulaFailure(name);
    return kept;
  }

  /** Makes a collection of it; throws what the engine process refuses, and keeps it with that. */
  put(tried: CompiledStoredFormula): Promise<void> {
    return this.#sendOrder(tried, toFormulaOrder(tried.stored, tried.reading));
  }

  /** Takes a text as it is: what is wrong with it is shown, and what ran before goes on. */
  async takeAsIs(tried: CompiledStoredFormula): Promise<void> {
    const {stored, reading} = tried;
    const before = this.#formulas.get(stored.name)?.order;
    const trouble = this.#troubleOf(stored, reading);
    const broken = trouble?.state === 'failing';
    const order =
      broken && before?.compiled !== undefined && before.trouble?.state !== 'quarantined'
        ? {...before, trouble}
        : toFormulaOrder(stored, broken ? {...reading, compiled: undefined} : reading, trouble);
    await this.#sendOrder(tried, order);
  }

  async drop(name: string, force = false): Promise<void> {
    const kept = this.#formulas.get(name);
    this.#formulas.delete(name);
    if (kept?.order !== undefined)
      await this.#context.engine.command({command: 'drop-formula', name, ...(force ? {force} : {})});
  }

  /** The engine process was ended for this code. */
  quarantineCode(hash: string, message: string): void {
    for (const [name, kept] of this.#formulas) {
      if (kept.order?.hash !== hash) continue;
      const trouble = {state: 'quarantined' as const, error: {message}};
      this.#formulas.set(name, {...kept, order: {...kept.order, trouble}, trouble});
    }
  }

  async refuseTakenName(name: string, formerly?: string): Promise<void> {
    const twin = this.#sameNameIgnoringCase(name, formerly);
    if (twin !== undefined || this.#formulas.has(name)) throw nameTakenFailure(twin ?? name);
    for (const node of (await this.nodes()).keys())
      if (node !== formerly && node.toLowerCase() === name.toLowerCase()) throw nameTakenFailure(node);
  }

  /** Who names it, and who has it as input or fetches from it. */
  async refuseIfRead(name: string): Promise<void> {
    const named = this.all()
      .filter(({stored, reading}) => stored.name !== name && reading.reads.includes(name))
      .map(({stored}) => stored.name);
    const {edges} = await this.#graph();
    const readers = edges.filter(({from, to}) => from === name && to !== name).map(({to}) => to);
    const all = [...new Set([...named, ...readers])].sort();
    if (all.length > 0) throw inUseFailure(name, all);
  }

  /** What every formula reads, with this one as it would be. */
  reads(name: string, reads: readonly string[]): Map<string, readonly string[]> {
    const all = new Map<string, readonly string[]>();
    for (const [other, {reading}] of this.#formulas) all.set(other, reading.reads);
    return all.set(name, reads);
  }

  /** The collections there are now, by name. */
  async nodes(): Promise<Map<string, CollectionNode>> {
    const {collections} = await this.#graph();
    return new Map(collections.map(node => [node.name, node]));
  }

  async #graph(): Promise<Graph> {
    return (await this.#context.engine.ask({ask: 'graph'})) as Graph;
  }

  async #sendOrder(
    {stored, store, reading, checks}: CompiledStoredFormula,
    order: InstallableFormula,
  ): Promise<void> {
    try {
      await this.#context.engine.command({command: 'put-formula', formula: order});
      this.#formulas.set(stored.name, {stored, store, reading, checks, order, trouble: order.trouble});
    } catch (error) {
      // It stands in the store all the same, and what ran before goes on.
      const trouble = {state: 'failing' as const, error: {message: (error as EngineFailure).message}};
      const before = this.#formulas.get(stored.name)?.order;
      this.#formulas.set(stored.name, {stored, store, reading, checks, order: before, trouble});
      if (checks !== undefined) throw error;
    }
  }

  #troubleOf(
    stored: StoredFormula,
    {problems, hash, reads}: FormulaCompilation,
  ): InstallableFormula['trouble'] {
    if (problems.length > 0) return {state: 'failing', error: firstProblem(problems)};
    const twin = this.#sameNameIgnoringCase(stored.name, stored.name);
    if (twin !== undefined)
      return {state: 'failing', error: {message: `there is a formula ${twin} already: names ignore case`}};
    const circle = findCycle(stored.name, this.reads(stored.name, reads));
    if (circle !== undefined) return {state: 'failing', error: {message: describeCycle(circle)}};
    const locked = this.#context.quarantine.reason(hash);
    return locked === undefined ? undefined : {state: 'quarantined', error: {message: locked}};
  }

  #sameNameIgnoringCase(name: string, but: string | undefined): string | undefined {
    for (const other of this.#formulas.keys())
      if (other !== but && other.toLowerCase() === name.toLowerCase()) return other;
    return undefined;
  }
}

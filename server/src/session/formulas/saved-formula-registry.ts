// The formulas of a session by name, with the order that the engine process got for each.
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

/** A stored formula after compilation. */
export interface CompiledStoredFormula {
  readonly stored: StoredFormula;
  readonly store: FormulaStore;
  readonly compilation: FormulaCompilation;
  /** Undefined if no request waits for them. Then a refusal of the engine is shown and not thrown. */
  readonly checks: FormulaCheck[] | undefined;
}

interface RegisteredFormula extends ViewableFormula {
  readonly store: FormulaStore;
  /** The order of the engine process; undefined if it refused every one. */
  readonly order: InstallableFormula | undefined;
}

export class SavedFormulaRegistry {
  readonly #context: Pick<FormulaContext, 'engine' | 'quarantine'>;
  readonly #formulas = new Map<string, RegisteredFormula>();

  constructor(context: Pick<FormulaContext, 'engine' | 'quarantine'>) {
    this.#context = context;
  }

  all(): RegisteredFormula[] {
    return [...this.#formulas.values()];
  }

  get(name: string): RegisteredFormula | undefined {
    return this.#formulas.get(name);
  }

  find(name: string): RegisteredFormula {
    const formula = this.#formulas.get(name);
    if (formula === undefined) throw unknownFormulaFailure(name);
    return formula;
  }

  /** Creates its collection. If the engine process refuses it, registers it with that error and throws. */
  put(formula: CompiledStoredFormula): Promise<void> {
    return this.#sendOrder(formula, toFormulaOrder(formula.stored, formula.compilation));
  }

  /** Accepts a text with its errors: they are shown, and the previous version continues. */
  async putWithProblems(formula: CompiledStoredFormula): Promise<void> {
    const {stored, compilation} = formula;
    const previous = this.#formulas.get(stored.name)?.order;
    const trouble = this.#troubleOf(stored, compilation);
    const broken = trouble?.state === 'failing';
    const order =
      broken && previous?.compiled !== undefined && previous.trouble?.state !== 'quarantined'
        ? {...previous, trouble}
        : toFormulaOrder(stored, broken ? {...compilation, compiled: undefined} : compilation, trouble);
    await this.#sendOrder(formula, order);
  }

  async drop(name: string, force = false): Promise<void> {
    const formula = this.#formulas.get(name);
    this.#formulas.delete(name);
    if (formula?.order !== undefined)
      await this.#context.engine.command({command: 'drop-formula', name, force: force || undefined});
  }

  /** Marks the formulas of code that ended the engine process. */
  quarantineCode(hash: string, message: string): void {
    for (const [name, formula] of this.#formulas) {
      if (formula.order?.hash !== hash) continue;
      const trouble = {state: 'quarantined' as const, error: {message}};
      this.#formulas.set(name, {...formula, order: {...formula.order, trouble}, trouble});
    }
  }

  async refuseTakenName(name: string, oldName?: string): Promise<void> {
    const sameName = this.#sameNameIgnoringCase(name, oldName);
    if (sameName !== undefined || this.#formulas.has(name)) throw nameTakenFailure(sameName ?? name);
    for (const node of (await this.nodes()).keys())
      if (node !== oldName && node.toLowerCase() === name.toLowerCase()) throw nameTakenFailure(node);
  }

  /** Refuses if other formulas or collections read it. */
  async refuseIfRead(name: string): Promise<void> {
    const named = this.all()
      .filter(({stored, compilation}) => stored.name !== name && compilation.reads.includes(name))
      .map(({stored}) => stored.name);
    const {edges} = await this.#graph();
    const readers = edges.filter(({from, to}) => from === name && to !== name).map(({to}) => to);
    const all = [...new Set([...named, ...readers])].sort();
    if (all.length > 0) throw inUseFailure(name, all);
  }

  /** Why a formula has no rows although nothing is wrong with it: one that it reads has never worked. */
  upstreamProblem(name: string, seen: ReadonlySet<string> = new Set()): string | undefined {
    for (const read of this.#formulas.get(name)?.compilation.reads ?? []) {
      const upstream = this.#formulas.get(read);
      if (upstream === undefined || read === name || seen.has(read)) continue;
      // Without an order the engine process refused it: another collection has the name.
      if (
        upstream.trouble !== undefined &&
        upstream.order !== undefined &&
        upstream.order.compiled === undefined
      )
        return `it reads ${read}, which is ${upstream.trouble.state}: ${upstream.trouble.error.message}`;
      const further = this.upstreamProblem(read, new Set([...seen, name]));
      if (further !== undefined) return further;
    }
    return undefined;
  }

  /** The reads of every formula, with these for `name`. */
  reads(name: string, reads: readonly string[]): Map<string, readonly string[]> {
    const all = new Map<string, readonly string[]>();
    for (const [other, {compilation}] of this.#formulas) all.set(other, compilation.reads);
    return all.set(name, reads);
  }

  /** The current collections by name. */
  async nodes(): Promise<Map<string, CollectionNode>> {
    const {collections} = await this.#graph();
    return new Map(collections.map(node => [node.name, node]));
  }

  async #graph(): Promise<Graph> {
    return (await this.#context.engine.ask({ask: 'graph'})) as Graph;
  }

  async #sendOrder(
    {stored, store, compilation, checks}: CompiledStoredFormula,
    order: InstallableFormula,
  ): Promise<void> {
    try {
      const lane = this.#context.quarantine.isSlow(order.hash) ? ('slow' as const) : undefined;
      await this.#context.engine.command({command: 'put-formula', formula: {...order, lane}});
      this.#formulas.set(stored.name, {stored, store, compilation, checks, order, trouble: order.trouble});
    } catch (error) {
      // The store has it, so keep it with the error. The previous version continues.
      const trouble = {state: 'failing' as const, error: {message: (error as EngineFailure).message}};
      const previous = this.#formulas.get(stored.name)?.order;
      this.#formulas.set(stored.name, {stored, store, compilation, checks, order: previous, trouble});
      if (checks !== undefined) throw error;
    }
  }

  #troubleOf(
    stored: StoredFormula,
    {problems, hash, reads}: FormulaCompilation,
  ): InstallableFormula['trouble'] {
    if (problems.length > 0) return {state: 'failing', error: firstProblem(problems)};
    const sameName = this.#sameNameIgnoringCase(stored.name, stored.name);
    if (sameName !== undefined)
      return {
        state: 'failing',
        error: {message: `a formula ${sameName} already exists: names ignore case`},
      };
    const cycle = findCycle(stored.name, this.reads(stored.name, reads));
    if (cycle !== undefined) return {state: 'failing', error: {message: describeCycle(cycle)}};
    const locked = this.#context.quarantine.reason(hash);
    return locked === undefined ? undefined : {state: 'quarantined', error: {message: locked}};
  }

  #sameNameIgnoringCase(name: string, except: string | undefined): string | undefined {
    for (const other of this.#formulas.keys())
      if (other !== except && other.toLowerCase() === name.toLowerCase()) return other;
    return undefined;
  }
}

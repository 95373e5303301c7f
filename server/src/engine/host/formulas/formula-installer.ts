// Installs users' formulas, one for each collection: evaluates main's compiled code and announces every run.
import type {CompiledFormula} from '../../../formula/compile/formula-compiler.ts';
import type {FormulaEnvironment} from '../../../formula/sandbox/formula-scope.ts';
import {createPathIndex} from '../../../formula/sandbox/path-index.ts';
import {SandboxedFormula} from '../../../formula/sandbox/sandboxed-formula.ts';
import type {Collection, Index} from '../../../krt/index.ts';
import type {InstallableFormula} from '../../link/commands.ts';
import {CommandRefused} from '../failures.ts';
import type {LiveGraph} from '../live-graph/live-graph.ts';
import type {FormulaAnnouncer} from './formula-announcer.ts';
import {
  toRunFunction,
  type UserCollectionSpec,
  type UserCollections,
  type UserRunFunction,
} from './user-collections.ts';

export class FormulaInstaller implements FormulaEnvironment {
  readonly #live: LiveGraph;
  readonly #kept: UserCollections;
  readonly #announcer: FormulaAnnouncer;
  readonly #indexes = new WeakMap<Collection<unknown>, Map<string, Index<unknown, string>>>();

  constructor(live: LiveGraph, kept: UserCollections, announcer: FormulaAnnouncer) {
    this.#live = live;
    this.#kept = kept;
    this.#announcer = announcer;
  }

  /** Call it inside changeGraph(). Throws CommandRefused without having changed anything. */
  put(order: InstallableFormula): void {
    this.#kept.put([this.#specOf(order)]);
  }

  /**
   * Call it inside changeGraph(). Throws CommandRefused while others read it; with `force` the readers wait for it
   * instead.
   */
  drop(name: string, force = false): void {
    const kept = this.#kept.get(name);
    if (kept === undefined || kept.module !== undefined)
      throw new CommandRefused({
        code: 'unknown-collection',
        message: `there is no formula "${name}"`,
        hint: 'GET /api/v1/formulas lists them',
      });
    if (!force) this.#kept.refuseIfRead(name);
    this.#kept.put([], [name]);
  }

  /**
   * Calls `work` with the run function of an earlier text of the formula. Passes undefined if the text is the current
   * one, or if this is not a user's formula. Does not call `work` if the collection was of another kind at that time.
   */
  runAs<R>(
    name: string,
    then: InstallableFormula | undefined,
    work: (run: UserRunFunction | undefined) => R,
  ): R | undefined {
    const kept = this.#kept.get(name);
    if (kept === undefined) return work(undefined);
    if (then?.compiled === undefined || !kept.canRun) return undefined;
    if (then.hash === kept.hash) return work(undefined);
    const spec = this.#specOf(then);
    const formula = this.#formulaOf(then);
    return this.#kept.runWithKeysOf(spec, formula, () => work(toRunFunction(formula, spec)));
  }

  collection(name: string): Collection<unknown> | undefined {
    return this.#live.collection(name);
  }

  index(collection: Collection<unknown>, path: string): Index<unknown, string> {
    const known = this.#indexes.get(collection) ?? new Map<string, Index<unknown, string>>();
    this.#indexes.set(collection, known);
    let index = known.get(path);
    if (index === undefined) {
      index = createPathIndex(collection, path);
      known.set(path, index);
    }
    return index;
  }

  #specOf(order: InstallableFormula): UserCollectionSpec {
    const {name, kind, input, reads, hash, compiled, trouble} = order;
    return {
      name,
      kind,
      inputs: input === undefined ? [] : [input],
      reads,
      hash,
      canRun: compiled !== undefined && trouble?.state !== 'quarantined',
      trouble,
      runner: () => this.#formulaOf(order),
    };
  }

  #formulaOf({name, kind, compiled, hash}: InstallableFormula): SandboxedFormula {
    const spec = {name, kind, compiled: compiled as CompiledFormula};
    return new SandboxedFormula(spec, this, this.#announcer.callbacksFor(name, hash));
  }
}

// The formulas that somebody keeps, one a collection: from what main compiled to what runs, announced before it does.
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

  /** Inside regraph(). Throws CommandRefused, and has changed nothing then. */
  put(order: InstallableFormula): void {
    this.#kept.put([this.#specOf(order)]);
  }

  /** Inside regraph(). Throws CommandRefused while others read it; with `force` they wait for it from then on. */
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
   * Calls `work` with the run of a text that the formula had, and with undefined if it has that text now or is no
   * formula of ours. Does not call it where nothing can run so: it was another collection then.
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

// Installs users' formulas, one for each collection: evaluates main's compiled code and announces every run.
import {parseGroupName} from '@krtscope/shared/groups/group-name.ts';
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
  readonly #collections: UserCollections;
  readonly #announcer: FormulaAnnouncer;
  readonly #indexes = new WeakMap<Collection<unknown>, Map<string, Index<unknown, string>>>();

  constructor(live: LiveGraph, collections: UserCollections, announcer: FormulaAnnouncer) {
    this.#live = live;
    this.#collections = collections;
    this.#announcer = announcer;
  }

  /** Call it inside changeGraph(). Throws CommandRefused without having changed anything. */
  put(order: InstallableFormula): void {
    this.#collections.put([this.#specOf(order)]);
  }

  /**
   * Call it inside changeGraph(). Throws CommandRefused while others read it; with `force` the readers wait for it
   * instead.
   */
  drop(name: string, force = false): void {
    const spec = this.#collections.get(name);
    if (spec === undefined || spec.module !== undefined || spec.kind === 'group')
      throw new CommandRefused({
        code: 'unknown-collection',
        message: `there is no formula "${name}"`,
        hint: 'GET /api/v1/formulas lists them',
      });
    if (!force) this.#collections.refuseIfRead(name);
    this.#collections.put([], [name]);
  }

  /** Makes the group collection of this name, if it does not exist. Call it inside changeGraph(). */
  putGroup(name: string): void {
    const group = parseGroupName(name);
    if (group === undefined || this.#collections.get(name) !== undefined) return;
    const {collection, path} = group;
    this.#collections.put([
      {
        name,
        kind: 'group',
        inputs: [collection],
        reads: [collection],
        hash: name,
        canRun: true,
        trouble: undefined,
        index: input => this.index(input, path),
        runner: () => undefined,
      },
    ]);
  }

  /** Call it inside changeGraph(). Throws CommandRefused while formulas read it. */
  dropGroup(name: string): void {
    const spec = this.#collections.get(name);
    if (spec?.kind !== 'group' || spec.module !== undefined) return;
    this.#collections.refuseIfRead(name);
    this.#collections.put([], [name]);
  }

  /**
   * Calls `work` with the run function of an earlier text of the formula. Passes undefined if the text is the current
   * one, or if this is not a user's formula. Does not call `work` if the collection was of another kind at that time.
   */
  runAs<R>(
    name: string,
    earlier: InstallableFormula | undefined,
    work: (run: UserRunFunction | undefined) => R,
  ): R | undefined {
    const current = this.#collections.get(name);
    if (current === undefined) return work(undefined);
    // A run of a slow formula would hold up every other answer.
    if (earlier?.compiled === undefined || !current.canRun || this.#collections.isSlow(name))
      return undefined;
    if (earlier.hash === current.hash) return work(undefined);
    const spec = this.#specOf(earlier);
    const formula = this.#formulaOf(earlier);
    return this.#collections.runWithKeysOf(spec, formula, () => work(toRunFunction(formula, spec)));
  }

  collection(name: string): Collection<unknown> | undefined {
    return this.#live.collection(name);
  }

  index(collection: Collection<unknown>, path: string): Index<unknown, string> {
    const indexes = this.#indexes.get(collection) ?? new Map<string, Index<unknown, string>>();
    this.#indexes.set(collection, indexes);
    let index = indexes.get(path);
    if (index === undefined) {
      index = createPathIndex(collection, path);
      indexes.set(path, index);
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
      order,
      runner: () => this.#formulaOf(order),
    };
  }

  #formulaOf({name, kind, compiled, hash, input}: InstallableFormula): SandboxedFormula {
    const spec = {name, kind, compiled: compiled as CompiledFormula};
    return new SandboxedFormula(spec, this, {
      ...this.#announcer.callbacksFor(name, hash),
      hasInput: key => input === undefined || this.collection(input)?.getKey(key) !== undefined,
    });
  }
}

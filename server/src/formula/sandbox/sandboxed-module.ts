// Evaluates a graph module in one compartment, on fuel, and records the collections of `build` as a plan.
// The host creates the collections of the plan, or keeps the old ones if it cannot.

import type {Index} from '../../krt/index.ts';
import type {CompiledFormulaKind} from '../compile/formula-compiler.ts';
import type {CompiledFile, CompiledModule} from '../compile/module-compiler.ts';
import {KRT_MODULE} from '../compile/scope-names.ts';
import {createCompartment, type FuelMeter} from './compartment.ts';
import {FormulaFailure, failureOf} from './formula-failure.ts';
import {
  copyBudgetOf,
  FormulaRunner,
  type FormulaRunnerOptions,
  FUEL,
  throwFuelSpent,
} from './formula-runner.ts';
import type {FormulaEnvironment} from './formula-scope.ts';
import {ensureFrozen} from './freeze.ts';
import {CollectionHandle} from './handles.ts';
import {createModuleApi, type ModuleApiHost} from './module-api.ts';
import {copyPlain} from './plain-copy.ts';
import {labelsOf, namespaceOf} from './row-keys.ts';

/** A collection that a module declares. */
export interface ModuleCollectionPlan {
  readonly name: string;
  readonly kind:
    | CompiledFormulaKind
    | 'from-nothing'
    | 'join'
    | 'map'
    | 'merge'
    | 'status'
    | 'status-many'
    | 'status-rows'
    | 'group';
  /** Names of its input collections. */
  readonly inputs: readonly string[];
  /** Absent for joins, merges, maps, and the status of another collection. */
  readonly runner: FormulaRunner | undefined;
  /**
   * The function of a map, which gets an item, or of a merge, which gets all values of a key. Throws
   * FormulaFailure.
   */
  readonly view?: (given: unknown) => unknown;
  /** The index of a group. */
  readonly index?: () => Index<unknown, string>;
  labels(row: unknown): Record<string, string> | undefined;
  namespace(row: unknown): string | undefined;
  selector?: ((row: unknown) => Record<string, string> | undefined) | undefined;
}

/** A collection or resource that a module needs and that does not exist yet. */
export class MissingDependency extends Error {
  readonly collection: string | undefined;
  readonly resource: string | undefined;

  constructor(missing: {collection?: string; resource?: string}) {
    super(`waits for ${missing.collection ?? missing.resource}`);
    this.collection = missing.collection;
    this.resource = missing.resource;
  }
}

export interface ModuleEnvironment extends FormulaEnvironment {
  /** The collection of a source, by the module's name for it; undefined if it does not exist yet. */
  source(resource: string): string | undefined;
}

const MAX_COLLECTIONS = 200;
const URL_PREFIX = 'krtscope-graph/';

interface EvaluatedFile {
  exports: Record<string, unknown>;
  meter: FuelMeter;
}

export class SandboxedModule implements ModuleApiHost {
  readonly hash: string;
  /** In the order of creation. */
  readonly plan: ModuleCollectionPlan[] = [];
  /** Collections outside the module that it reads. */
  readonly reads = new Set<string>();
  readonly environment: ModuleEnvironment;
  readonly indexes: object[] = [];
  readonly #meters: FuelMeter[] = [];
  readonly #options: FormulaRunnerOptions;
  readonly #names = new Set<string>();
  #running: FormulaRunner | undefined;
  #building = true;

  /** Throws FormulaFailure for an error in the module and MissingDependency for a missing collection. */
  constructor({hash, files}: CompiledModule, environment: ModuleEnvironment, options: FormulaRunnerOptions) {
    this.hash = hash;
    this.environment = environment;
    this.#options = options;
    options.onRun?.();
    try {
      const compartment = createCompartment();
      const exportsByPath = new Map<string, Record<string, unknown>>([[KRT_MODULE, createModuleApi(this)]]);
      for (const file of files) {
        const {exports, meter} = evaluateFile(compartment, file, exportsByPath);
        this.#meters.push(meter);
        exportsByPath.set(file.path, exports);
      }
      const build = exportsByPath.get(files.at(-1)?.path ?? '')?.build;
      if (typeof build !== 'function') throw new FormulaFailure('build is not a function');
      this.refuel(FUEL.singleton);
      build(
        harden({
          engine: {},
          collection: (name: unknown) => this.#foreignCollection(String(name)),
          source: (resource: unknown) => this.#source(String(resource)),
        }),
      );
    } catch (error) {
      if (error instanceof MissingDependency) throw error;
      throw this.failure(error);
    } finally {
      this.refuel(0);
      this.#building = false;
    }
  }

  get running(): FormulaRunner {
    if (this.#running === undefined) throw new TypeError('fetch can be used only while a formula runs');
    return this.#running;
  }

  refuel(amount: number): void {
    for (const meter of this.#meters) meter.refuel(amount);
  }

  fuel(): number {
    let least = Number.MAX_SAFE_INTEGER;
    for (const meter of this.#meters) least = Math.min(least, meter.fuel());
    return least;
  }

  /** Calls a function that the engine may call at any time. The call is announced and runs on fuel. */
  guarded<T>(call: () => T, otherwise: T): T {
    if (this.#running !== undefined || this.#building) return call();
    this.#options.onRun?.();
    this.refuel(FUEL.one);
    try {
      return call();
    } catch {
      return otherwise;
    } finally {
      this.refuel(0);
    }
  }

  /** Like guarded, and copies the result, so that no code of the module runs when the engine reads it. */
  callForData(call: () => unknown): unknown {
    return this.guarded(() => copyPlain(call(), copyBudgetOf(this.fuel()), true) ?? undefined, undefined);
  }

  add(
    kind: ModuleCollectionPlan['kind'],
    inputs: readonly CollectionHandle[],
    formula: ((ctx: unknown, item: unknown) => unknown) | undefined,
    options: unknown,
    index?: () => Index<unknown, string>,
  ): CollectionHandle {
    if (!this.#building) throw new TypeError('collections can be created only in build, not in a formula');
    const own = (typeof options === 'object' && options !== null ? options : {}) as Record<string, unknown>;
    const {name} = own;
    if (typeof name !== 'string' || name === '' || name.length > 200)
      throw new TypeError('every collection of a graph module needs a name: {name: …} in its options');
    if (this.#names.has(name)) throw new TypeError(`the module creates "${name}" twice`);
    if (this.plan.length >= MAX_COLLECTIONS)
      throw new TypeError(`a module creates at most ${MAX_COLLECTIONS} collections`);
    if (kind !== 'join' && kind !== 'status-rows' && kind !== 'group' && typeof formula !== 'function')
      throw new TypeError(`"${name}" has no formula: (ctx, item) => …`);
    this.#names.add(name);
    const names = inputs.map(input => input.name);
    const isView = kind === 'map' || kind === 'merge';
    const runFormula = isView ? undefined : formula;
    this.plan.push({
      name,
      kind,
      inputs: names,
      runner: runFormula && new ModuleRunner(this, name, kind, runFormula, own.key, this.#options),
      view: isView
        ? (given: unknown) => this.#runView(formula as (given: unknown) => unknown, given)
        : undefined,
      ...(index === undefined ? {} : {index}),
      labels: this.#option(own.labels, labelsOf),
      namespace: this.#option(own.namespace, namespaceOf),
      selector: typeof own.selector === 'function' ? this.#option(own.selector, () => undefined) : undefined,
    });
    return this.#handle(name);
  }

  run<T>(runner: FormulaRunner, call: () => T): T {
    const previous = this.#running;
    this.#running = runner;
    try {
      return call();
    } finally {
      this.#running = previous;
    }
  }

  /** With file and line, if the stack contains them. */
  failure(error: unknown): FormulaFailure {
    if (error instanceof FormulaFailure) return error;
    const {sentence} = failureOf(error, '\0');
    const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : '';
    const at = stack.slice(0, 20_000).match(/krtscope-graph\/([^\s:()]+:\d+)/)?.[1];
    return new FormulaFailure(at === undefined ? sentence : `${sentence} (${at})`);
  }

  /** Calls a map or merge, which the engine may do at any time. The call is announced and runs on fuel. */
  #runView(formula: (given: unknown) => unknown, given: unknown): unknown {
    this.#options.onRun?.();
    const left = this.fuel();
    this.refuel(FUEL.one);
    try {
      const result = formula(
        Array.isArray(given) ? Object.freeze(given.map(ensureFrozen)) : ensureFrozen(given),
      );
      if (this.fuel() < 0) throwFuelSpent();
      return copyPlain(result, copyBudgetOf(this.fuel()), true) ?? undefined;
    } catch (error) {
      throw this.failure(error);
    } finally {
      this.refuel(left);
    }
  }

  #option<T>(option: unknown, fallback: (row: unknown) => T | undefined): (row: unknown) => T | undefined {
    if (typeof option !== 'function') return fallback;
    return row => this.callForData(() => option(row)) as T | undefined;
  }

  #foreignCollection(name: string): CollectionHandle {
    if (this.#names.has(name)) return this.#handle(name);
    if (this.environment.collection(name) === undefined) throw new MissingDependency({collection: name});
    this.reads.add(name);
    return this.#handle(name);
  }

  #source(resource: string): CollectionHandle {
    const name = this.environment.source(resource);
    if (name === undefined) throw new MissingDependency({resource});
    return this.#foreignCollection(name);
  }

  #handle(name: string): CollectionHandle {
    return new CollectionHandle(() => {
      const found = this.environment.collection(name);
      if (found === undefined) throw new TypeError(`the collection "${name}" is gone`);
      return found;
    }, name);
  }
}

class ModuleRunner extends FormulaRunner {
  readonly #module: SandboxedModule;

  constructor(
    module: SandboxedModule,
    name: string,
    kind: ModuleCollectionPlan['kind'],
    formula: (ctx: unknown, item: unknown) => unknown,
    key: unknown,
    options: FormulaRunnerOptions,
  ) {
    const status = kind === 'status' || kind === 'status-many';
    const keyed = typeof key === 'function' ? (row: unknown) => key(row) as string : undefined;
    super({name, kind: rowsOf(kind), url: URL_PREFIX, status, key: keyed}, options);
    this.#module = module;
    this.begin(
      {
        formula: (ctx, item) => module.run(this, () => formula(ctx, item)),
        fuel: () => module.fuel(),
        refuel: amount => module.refuel(amount),
        line: () => 0,
      },
      'get',
    );
  }

  protected override failure(error: unknown): FormulaFailure {
    return this.#module.failure(error);
  }
}

/** The formula kind that defines keys and limits. */
function rowsOf(kind: ModuleCollectionPlan['kind']): CompiledFormulaKind {
  if (kind === 'from-nothing' || kind === 'status-many' || kind === 'many') return 'many';
  return kind === 'singleton' ? 'singleton' : 'one';
}

function evaluateFile(
  compartment: Compartment,
  {path, text, imports, exports}: CompiledFile,
  exportsByPath: ReadonlyMap<string, Record<string, unknown>>,
): EvaluatedFile {
  const importedValues = Object.create(null) as Record<string, unknown>;
  const locals: string[] = [];
  for (const {from, name, local} of imports) {
    const all = exportsByPath.get(from) ?? {};
    if (name !== '*' && !Object.hasOwn(all, name))
      throw new FormulaFailure(`${path}: ${from} has no "${name}" to import`);
    importedValues[local] = name === '*' ? all : all[name];
    locals.push(local);
  }
  // Keep this on the first line of the code, so that stack lines are lines of the file.
  const head = [
    '$krt => { let $krtFuel = $krt.fuel, $krtLine = 0;',
    'const $krtOut = $krt.out, $krtAt = (value, line) => { $krtLine = line; return value; };',
    `const {${locals.join(', ')}} = $krt.imports;`,
  ].join(' ');
  const out = exports.map(({name, local}) => `${JSON.stringify(name)}: ${local}`).join(', ');
  const tail = [
    `return {exports: {${out}}, meter: {fuel: () => $krtFuel, line: () => $krtLine,`,
    `refuel: amount => { $krtFuel = amount; }}}; }`,
  ].join(' ');
  const source = `(${head} ${text}\n;${tail})\n//# sourceURL=${URL_PREFIX}${path}`;
  const make = compartment.evaluate(source) as (given: object) => EvaluatedFile;
  const evaluated = make({fuel: FUEL.one, imports: importedValues, out: throwFuelSpent});
  harden(evaluated.exports);
  return evaluated;
}

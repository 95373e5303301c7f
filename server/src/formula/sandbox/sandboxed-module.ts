// A graph module that can be built: its files evaluated in one compartment, on fuel, and what `build` makes with the
// engine's names noted as a plan. The host makes collections of the plan, or finds that it cannot and keeps the old ones.
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

/** A collection that a module wants. */
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
    | 'status-rows';
  /** Names of the collections it is made from. */
  readonly inputs: readonly string[];
  /** Absent for what only looks at others: joins, merges, maps, and the status beside what another one makes. */
  readonly runner: FormulaRunner | undefined;
  /** Of a map, which is given an item, and of a merge, which is given all of a key. Throws FormulaFailure. */
  readonly view?: (given: unknown) => unknown;
  labels(row: unknown): Record<string, string> | undefined;
  namespace(row: unknown): string | undefined;
  selector?: ((row: unknown) => Record<string, string> | undefined) | undefined;
}

/** Something that a module needs and that is not there yet. */
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
  /** The collection of a source, by what the module called it; undefined: it is none yet. */
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
  /** In the order in which they were made. */
  readonly plan: ModuleCollectionPlan[] = [];
  /** Collections of others that it asked for. */
  readonly reads = new Set<string>();
  readonly around: ModuleEnvironment;
  readonly indexes: object[] = [];
  readonly #meters: FuelMeter[] = [];
  readonly #options: FormulaRunnerOptions;
  readonly #own = new Set<string>();
  #running: FormulaRunner | undefined;
  #building = true;

  /** Throws FormulaFailure for what is wrong with it, Missing for what it needs. */
  constructor({hash, files}: CompiledModule, around: ModuleEnvironment, options: FormulaRunnerOptions) {
    this.hash = hash;
    this.around = around;
    this.#options = options;
    options.onRun?.();
    try {
      const compartment = createCompartment();
      const done = new Map<string, Record<string, unknown>>([[KRT_MODULE, createModuleApi(this)]]);
      for (const file of files) {
        const {exports, meter} = evaluateFile(compartment, file, done);
        this.#meters.push(meter);
        done.set(file.path, exports);
      }
      const build = done.get(files.at(-1)?.path ?? '')?.build;
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
    if (this.#running === undefined) throw new TypeError('a fetch is of use only while a formula runs');
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

  /** Calls a function of the module's that the engine may call at any time: on fuel, and announced. */
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

  /** The same, and what it gives is data: nothing of the module's runs when the engine looks at it. */
  callForData(call: () => unknown): unknown {
    return this.guarded(() => copyPlain(call(), copyBudgetOf(this.fuel()), true) ?? undefined, undefined);
  }

  add(
    kind: ModuleCollectionPlan['kind'],
    inputs: readonly CollectionHandle[],
    formula: ((ctx: unknown, item: unknown) => unknown) | undefined,
    options: unknown,
  ): CollectionHandle {
    if (!this.#building) throw new TypeError('collections are made in build, not in a formula');
    const own = (typeof options === 'object' && options !== null ? options : {}) as Record<string, unknown>;
    const {name} = own;
    if (typeof name !== 'string' || name === '' || name.length > 200)
      throw new TypeError('every collection of a graph module has a name: {name: …} in its options');
    if (this.#own.has(name)) throw new TypeError(`the module makes two collections "${name}"`);
    if (this.plan.length >= MAX_COLLECTIONS)
      throw new TypeError(`a module makes at most ${MAX_COLLECTIONS} collections`);
    if (kind !== 'join' && kind !== 'status-rows' && typeof formula !== 'function')
      throw new TypeError(`"${name}" has no formula: (ctx, item) => …`);
    this.#own.add(name);
    const names = inputs.map(input => input.name);
    const looks = kind === 'map' || kind === 'merge';
    const runs = looks ? undefined : formula;
    this.plan.push({
      name,
      kind,
      inputs: names,
      runner: runs && new ModuleRunner(this, name, kind, runs, own.key, this.#options),
      ...(looks
        ? {view: (given: unknown) => this.#runView(formula as (given: unknown) => unknown, given)}
        : {}),
      labels: this.#option(own.labels, labelsOf),
      namespace: this.#option(own.namespace, namespaceOf),
      ...(typeof own.selector === 'function' ? {selector: this.#option(own.selector, () => undefined)} : {}),
    });
    return this.#handle(name);
  }

  run<T>(runner: FormulaRunner, call: () => T): T {
    const before = this.#running;
    this.#running = runner;
    try {
      return call();
    } finally {
      this.#running = before;
    }
  }

  /** With the file and the line, where the stack says so. */
  failure(error: unknown): FormulaFailure {
    if (error instanceof FormulaFailure) return error;
    const {sentence} = failureOf(error, '\0');
    const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : '';
    const at = stack.slice(0, 20_000).match(/krtscope-graph\/([^\s:()]+:\d+)/)?.[1];
    return new FormulaFailure(at === undefined ? sentence : `${sentence} (${at})`);
  }

  /** A map or a merge is no run, and the engine calls it at any time: on fuel, announced, and its result made plain. */
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

  #option<T>(option: unknown, usual: (row: unknown) => T | undefined): (row: unknown) => T | undefined {
    if (typeof option !== 'function') return usual;
    return row => this.callForData(() => option(row)) as T | undefined;
  }

  #foreignCollection(name: string): CollectionHandle {
    if (this.#own.has(name)) return this.#handle(name);
    if (this.around.collection(name) === undefined) throw new MissingDependency({collection: name});
    this.reads.add(name);
    return this.#handle(name);
  }

  #source(resource: string): CollectionHandle {
    const name = this.around.source(resource);
    if (name === undefined) throw new MissingDependency({resource});
    return this.#foreignCollection(name);
  }

  #handle(name: string): CollectionHandle {
    return new CollectionHandle(() => {
      const found = this.around.collection(name);
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
    super(
      {name, kind: rowsOf(kind), url: URL_PREFIX, status, ...(keyed === undefined ? {} : {key: keyed})},
      options,
    );
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

/** What a run gives, as far as keys and limits go. */
function rowsOf(kind: ModuleCollectionPlan['kind']): CompiledFormulaKind {
  if (kind === 'from-nothing' || kind === 'status-many' || kind === 'many') return 'many';
  return kind === 'singleton' ? 'singleton' : 'one';
}

function evaluateFile(
  compartment: Compartment,
  {path, text, imports, exports}: CompiledFile,
  done: ReadonlyMap<string, Record<string, unknown>>,
): EvaluatedFile {
  const given = Object.create(null) as Record<string, unknown>;
  const wanted: string[] = [];
  for (const {from, name, local} of imports) {
    const all = done.get(from) ?? {};
    if (name !== '*' && !Object.hasOwn(all, name))
      throw new FormulaFailure(`${path}: ${from} has no "${name}" to import`);
    given[local] = name === '*' ? all : all[name];
    wanted.push(local);
  }
  // On the line of the code's first: lines in a stack are those of the file.
  const head = [
    '$krt => { let $krtFuel = $krt.fuel, $krtLine = 0;',
    'const $krtOut = $krt.out, $krtAt = (value, line) => { $krtLine = line; return value; };',
    `const {${wanted.join(', ')}} = $krt.imports;`,
  ].join(' ');
  const out = exports.map(({name, local}) => `${JSON.stringify(name)}: ${local}`).join(', ');
  const tail = [
    `return {exports: {${out}}, meter: {fuel: () => $krtFuel, line: () => $krtLine,`,
    `refuel: amount => { $krtFuel = amount; }}}; }`,
  ].join(' ');
  const source = `(${head} ${text}\n;${tail})\n//# sourceURL=${URL_PREFIX}${path}`;
  const make = compartment.evaluate(source) as (given: object) => EvaluatedFile;
  const face = make({fuel: FUEL.one, imports: given, out: throwFuelSpent});
  harden(face.exports);
  return face;
}

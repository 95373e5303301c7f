// Builds graph modules from the texts that main sends and replaces each as a whole. A module that fails to build
// leaves the old one in place and shows the reason on each of its collections.
import type {CompiledModule} from '../../../formula/compile/module-compiler.ts';
import {closeIndex} from '../../../formula/sandbox/module-api.ts';
import {
  MissingDependency,
  type ModuleCollectionPlan,
  type ModuleEnvironment,
  SandboxedModule,
} from '../../../formula/sandbox/sandboxed-module.ts';
import type {CommandAnswer, InstallableFormula, InstallableModule} from '../../link/commands.ts';
import type {CompiledCode} from '../../link/lab-messages.ts';
import type {ModuleBuild} from '../recording/module-history.ts';
import type {FormulaAnnouncer} from './formula-announcer.ts';
import type {FormulaInstaller} from './formula-installer.ts';
import type {RerunOptions} from './rerun-formulas.ts';
import {
  toRunFunction,
  type UserCollectionSpec,
  type UserCollections,
  type UserCollectionTrouble,
  type UserRunFunction,
} from './user-collections.ts';

interface ModuleInstallation {
  order: InstallableModule;
  /** The last successful build. */
  module: SandboxedModule | undefined;
  /** The order of that build. */
  built: InstallableModule | undefined;
  /** The module waits for a collection. New collections trigger another attempt. */
  waits: boolean;
  /** Collections without rows that show why the module is quarantined. */
  placeholders: readonly string[];
  answer: CommandAnswer<'put-module'>;
}

/** The texts that users typed, at any recorded moment. */
export interface EarlierTexts {
  /** The text of a user's formula. */
  revision?(name: string, at: number): InstallableFormula | undefined;
  /** The build of a graph module. */
  build?(module: string, at: number): ModuleBuild | undefined;
}

export class ModuleInstaller {
  readonly #collections: UserCollections;
  readonly #formulas: FormulaInstaller;
  readonly #announcer: FormulaAnnouncer;
  readonly #modules = new Map<string, ModuleInstallation>();
  /** The earlier build of each module that a question last asked about. */
  readonly #before = new Map<string, SandboxedModule>();

  constructor(collections: UserCollections, formulas: FormulaInstaller, announcer: FormulaAnnouncer) {
    this.#collections = collections;
    this.#formulas = formulas;
    this.#announcer = announcer;
  }

  /** Call it inside changeGraph(). The answer says what is wrong with the module. */
  put(order: InstallableModule): CommandAnswer<'put-module'> {
    const old = this.#modules.get(order.name);
    const now: ModuleInstallation = {
      order,
      module: old?.module,
      built: old?.built,
      waits: false,
      placeholders: old?.placeholders ?? [],
      answer: {name: order.name, collections: collectionNamesOf(old?.module)},
    };
    this.#modules.set(order.name, now);
    const {compiled, trouble, hash} = order;
    // With trouble other than a quarantine, `module` is the last successful build, which usually runs already.
    const runs = trouble !== undefined && (compiled === undefined || old?.module?.hash === hash);
    if (trouble !== undefined && (runs || trouble.state === 'quarantined')) this.#refuse(now, trouble);
    else if (compiled !== undefined) this.#build(now, old?.module);
    return {...now.answer, runs: now.module?.hash};
  }

  /** Call it inside changeGraph(). Readers of its collections wait for them from now on. */
  drop(name: string): void {
    const installed = this.#modules.get(name);
    this.#modules.delete(name);
    this.#collections.put([], [...collectionNamesOf(installed?.module), ...(installed?.placeholders ?? [])]);
    closeIndexes(installed?.module);
    this.#forget(name);
  }

  /** The modules that run, with the texts they were built from. */
  running(): ModuleBuild[] {
    return [...this.#modules].flatMap(([name, {module, built}]) => {
      if (module === undefined || built === undefined) return [];
      const {hash, files, compiled, sources} = built;
      return [{name, hash, files, compiled, sources, collections: collectionNamesOf(module)}];
    });
  }

  /** Lets explain/ repeat runs of users' texts, alone or in a module, as they were at that time. */
  rerunOptions({revision, build}: EarlierTexts): Required<Pick<RerunOptions, 'runAs' | 'viewAs'>> {
    const moduleOf = (name: string) => this.#collections.get(name)?.module;
    return {
      runAs: (name, at, work) => {
        const module = moduleOf(name);
        return module === undefined
          ? this.#formulas.runAs(name, revision?.(name, at), work)
          : this.#runAs(name, build?.(module, at), work);
      },
      viewAs: (name, at, work) => {
        const module = moduleOf(name);
        return module === undefined ? work(undefined) : this.#viewAs(name, build?.(module, at), work);
      },
    };
  }

  #runAs<R>(
    name: string,
    earlier: ModuleBuild | undefined,
    work: (run: UserRunFunction | undefined) => R,
  ): R | undefined {
    return this.#as(name, earlier, spec => {
      if (spec === undefined) return work(undefined);
      const runner = spec.runner();
      return runner && this.#collections.runWithKeysOf(spec, runner, () => work(toRunFunction(runner, spec)));
    });
  }

  /** Every save makes a new collection for a map or a merge. */
  #viewAs<R>(
    name: string,
    earlier: ModuleBuild | undefined,
    work: (view: UserCollectionSpec['view']) => R,
  ): R | undefined {
    return this.#as(name, earlier, spec => {
      if (spec === undefined) return work(undefined);
      return spec.view && work(spec.view);
    });
  }

  #as<R>(
    name: string,
    earlier: ModuleBuild | undefined,
    work: (spec: UserCollectionSpec | undefined) => R | undefined,
  ): R | undefined {
    if (earlier === undefined) return undefined;
    if (this.#modules.get(earlier.name)?.module?.hash === earlier.hash) return work(undefined);
    const module = this.#buildEarlier(earlier);
    const planned = module?.plan.find(one => one.name === name);
    return planned && module && work(userCollectionSpecOf(planned, module, earlier.name));
  }

  /** Undefined if the module cannot be built any more because a collection that it reads is gone. */
  #buildEarlier({name, hash, compiled, sources = {}}: ModuleBuild): SandboxedModule | undefined {
    const cached = this.#before.get(name);
    if (cached?.hash === hash) return cached;
    this.#forget(name);
    if (compiled === undefined) return undefined;
    try {
      const module = this.#moduleOf(name, hash, compiled, sources);
      this.#before.set(name, module);
      return module;
    } catch {
      return undefined;
    }
  }

  #forget(name: string): void {
    closeIndexes(this.#before.get(name));
    this.#before.delete(name);
  }

  settle(): void {
    for (const installed of [...this.#modules.values()])
      if (installed.waits) this.#build(installed, installed.module);
  }

  #build(now: ModuleInstallation, old: SandboxedModule | undefined): void {
    const {name, compiled, sources} = now.order;
    const hash = now.order.hash;
    try {
      const module = this.#moduleOf(name, hash, compiled as CompiledCode, sources);
      const specs = module.plan.map(planned => userCollectionSpecOf(planned, module, name));
      const before = [...collectionNamesOf(old), ...now.placeholders];
      const removed = before.filter(one => !specs.some(spec => spec.name === one));
      this.#collections.put(specs, removed);
      closeIndexes(old);
      now.placeholders = [];
      now.module = module;
      now.built = now.order;
      now.waits = false;
      now.answer = {name, collections: collectionNamesOf(module)};
      if (now.order.trouble !== undefined) this.#refuse(now, now.order.trouble);
    } catch (error) {
      const missing = error instanceof MissingDependency ? error : undefined;
      now.waits = missing !== undefined;
      this.#refuse(now, {state: 'failing', error: {message: (error as Error).message}});
      if (missing?.resource !== undefined) now.answer = {...now.answer, needs: missing.resource};
    }
  }

  #moduleOf(
    name: string,
    hash: string,
    compiled: CompiledCode,
    sources: Readonly<Record<string, string>>,
  ): SandboxedModule {
    const environment: ModuleEnvironment = {
      collection: one => this.#formulas.collection(one),
      index: (collection, path) => this.#formulas.index(collection, path),
      source: resource => (Object.hasOwn(sources, resource) ? sources[resource] : undefined),
    };
    return new SandboxedModule(
      compiled as CompiledModule,
      environment,
      this.#announcer.callbacksFor(name, hash),
    );
  }

  /** The collections stay in the graph without rows, so that their readers wait for them by name. */
  #quarantine(now: ModuleInstallation, built: readonly string[], trouble: UserCollectionTrouble): void {
    const names = [...new Set([...built, ...(now.order.collections ?? []), ...now.placeholders])];
    this.#collections.put(names.map(name => placeholderSpecOf(name, now.order, trouble)));
    closeIndexes(now.module);
    now.module = undefined;
    now.placeholders = names;
    now.answer = {...now.answer, collections: names};
  }

  #refuse(now: ModuleInstallation, trouble: UserCollectionTrouble): void {
    now.answer = {...now.answer, trouble};
    const names = collectionNamesOf(now.module);
    if (trouble.state === 'quarantined') this.#quarantine(now, names, trouble);
    else for (const name of names) this.#collections.setTrouble(name, trouble);
  }
}

/** A collection that exists only to show its trouble. */
function placeholderSpecOf(
  name: string,
  {name: module, hash}: InstallableModule,
  trouble: UserCollectionTrouble,
): UserCollectionSpec {
  return {
    name,
    kind: 'one',
    inputs: [],
    reads: [],
    hash,
    canRun: false,
    trouble,
    module,
    runner: () => undefined,
  };
}

function collectionNamesOf(module: SandboxedModule | undefined): string[] {
  return module?.plan.map(({name}) => name) ?? [];
}

function closeIndexes(module: SandboxedModule | undefined): void {
  for (const index of module?.indexes ?? []) closeIndex(index);
}

export function userCollectionSpecOf(
  planned: ModuleCollectionPlan,
  {hash, reads}: SandboxedModule,
  module: string,
): UserCollectionSpec {
  const {name, kind, inputs, runner, view, index, labels, namespace, selector} = planned;
  return {
    name,
    kind,
    inputs,
    reads: [...new Set([...inputs, ...reads])],
    hash: `${hash} ${name}`,
    canRun: true,
    trouble: undefined,
    module,
    runner: () => runner,
    view,
    index,
    options: {labels, namespace, selector},
  };
}

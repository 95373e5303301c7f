// Graph modules: built from the texts that main sends, and swapped in whole. One that cannot be built leaves the old one
// where it was, and says why on each of its collections.
import type {CompiledModule} from '../../formula/compile/module.ts';
import {GraphModule, Missing, type ModuleGround, type Planned} from '../../formula/confine/module.ts';
import {closeIndex} from '../../formula/confine/module-face.ts';
import type {CommandAnswer, ModuleOrder} from '../link/commands.ts';
import type {Announcer} from './announcer.ts';
import type {KeptCollections, Spec, Trouble} from './kept-collections.ts';
import type {KeptFormulas} from './kept-formulas.ts';
import type {ModuleText} from './module-texts.ts';

interface Kept {
  order: ModuleOrder;
  /** The last one that could be built. */
  module: GraphModule | undefined;
  /** Its texts. */
  files: ModuleOrder['files'];
  /** It waits for something: tried again when collections have come. */
  waits: boolean;
  answer: CommandAnswer<'put-module'>;
}

export class KeptModules {
  readonly #kept: KeptCollections;
  readonly #formulas: KeptFormulas;
  readonly #announcer: Announcer;
  readonly #modules = new Map<string, Kept>();

  constructor(kept: KeptCollections, formulas: KeptFormulas, announcer: Announcer) {
    this.#kept = kept;
    this.#formulas = formulas;
    this.#announcer = announcer;
  }

  /** Inside regraph(). What is wrong with it is part of the answer. */
  put(order: ModuleOrder): CommandAnswer<'put-module'> {
    const old = this.#modules.get(order.name);
    const now: Kept = {
      order,
      module: old?.module,
      files: old?.files ?? [],
      waits: false,
      answer: {name: order.name, collections: namesOf(old?.module)},
    };
    this.#modules.set(order.name, now);
    const {compiled, trouble, hash} = order;
    // With trouble that is no quarantine, what is told is the last one that could be built: what runs already, mostly.
    const runs = trouble !== undefined && (compiled === undefined || old?.module?.hash === hash);
    if (trouble !== undefined && (runs || trouble.state === 'quarantined')) this.#refuse(now, trouble);
    else if (compiled !== undefined) this.#build(now, old?.module);
    return now.answer;
  }

  /** Inside regraph(). What reads its collections waits for them from then on. */
  drop(name: string): void {
    const kept = this.#modules.get(name);
    this.#modules.delete(name);
    this.#kept.put([], namesOf(kept?.module));
    closeIndexes(kept?.module);
  }

  /** Those that run, with the texts that they were built from. */
  running(): ModuleText[] {
    return [...this.#modules].flatMap(([name, {module, files}]) =>
      module === undefined ? [] : [{name, hash: module.hash, files, collections: namesOf(module)}],
    );
  }

  settle(): void {
    for (const kept of [...this.#modules.values()]) if (kept.waits) this.#build(kept, kept.module);
  }

  #build(now: Kept, old: GraphModule | undefined): void {
    const {name, compiled, sources} = now.order;
    const hash = now.order.hash;
    try {
      const ground: ModuleGround = {
        collection: one => this.#formulas.collection(one),
        index: (collection, path) => this.#formulas.index(collection, path),
        source: resource => sources[resource],
      };
      const module = new GraphModule(compiled as CompiledModule, ground, {
        onRun: () => this.#announcer.run(name, hash),
      });
      const specs = module.plan.map(planned => specOf(planned, module, name));
      const gone = namesOf(old).filter(one => !specs.some(spec => spec.name === one));
      this.#kept.put(specs, gone);
      closeIndexes(old);
      now.module = module;
      now.files = now.order.files;
      now.waits = false;
      now.answer = {name, collections: namesOf(module)};
      if (now.order.trouble !== undefined) this.#refuse(now, now.order.trouble);
    } catch (error) {
      const missing = error instanceof Missing ? error : undefined;
      now.waits = missing !== undefined;
      this.#refuse(now, {state: 'failing', error: {message: (error as Error).message}});
      if (missing?.resource !== undefined) now.answer = {...now.answer, needs: missing.resource};
    }
  }

  #refuse(now: Kept, trouble: Trouble): void {
    now.answer = {...now.answer, trouble};
    const names = namesOf(now.module);
    if (trouble.state === 'quarantined') {
      this.#kept.put([], names);
      closeIndexes(now.module);
      now.module = undefined;
    } else for (const name of names) this.#kept.blame(name, trouble);
  }
}

function namesOf(module: GraphModule | undefined): string[] {
  return module?.plan.map(({name}) => name) ?? [];
}

function closeIndexes(module: GraphModule | undefined): void {
  for (const index of module?.indexes ?? []) closeIndex(index);
}

export function specOf(planned: Planned, {hash, reads}: GraphModule, module: string): Spec {
  const {name, kind, inputs, runner, view, labels, namespace, selector} = planned;
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
    options: {labels, namespace, selector},
  };
}

// The derived collection of the port: refresh, run, diff, publish; fetches registered once per source.
import {deepEqual} from '../deep-equal.ts';
import {PortCollection, type PortEvent, type PortOptions} from './collection.ts';
import {DependencyState, matches, type PortDependency, type PortFilter} from './dependencies.ts';

export class PortContext {
  readonly dependencies: PortDependency[] = [];
  readonly #onSource: (source: PortCollection<unknown>) => void;

  constructor(onSource: (source: PortCollection<unknown>) => void) {
    this.#onSource = onSource;
  }

  fetch<T>(source: PortCollection<T>, filter: PortFilter): T[] {
    const untyped = source as unknown as PortCollection<unknown>;
    this.dependencies.push({source: untyped, filter});
    this.#onSource(untyped);
    if (filter.key !== undefined) {
      const item = source.getKey(filter.key);
      return item !== undefined && matches(filter, untyped, item, true) ? [item] : [];
    }
    const candidates =
      filter.index === undefined ? source.list() : (filter.index.lookup(filter.indexKey!) as T[]);
    return candidates.filter(item => matches(filter, untyped, item, true));
  }
}

interface Work<I, O> {
  readonly key: string;
  readonly input: I | undefined;
  readonly results: Map<string, O> | undefined;
  readonly dependencies: readonly PortDependency[];
}

export class PortDerived<I, O> extends PortCollection<O> {
  readonly #parent: PortCollection<I>;
  readonly #formula: (ctx: PortContext, input: I) => readonly O[];
  readonly #inputs = new Map<string, I>();
  readonly #mappings = new Map<string, Set<string>>();
  readonly #dependencies = new DependencyState();
  readonly #registered = new Set<number>();

  constructor(
    parent: PortCollection<I>,
    formula: (ctx: PortContext, input: I) => readonly O[],
    options: PortOptions<O>,
  ) {
    super(parent.queue, options);
    this.#parent = parent;
    this.#formula = formula;
    parent.register(events => this.queue.push(() => this.#primary(events)), true);
    this.queue.drain();
  }

  #primary(events: readonly PortEvent<I>[]): void {
    const work: Work<I, O>[] = [];
    for (const event of events) {
      const key = this.#parent.keyOf((event.new ?? event.old)!);
      work.push(this.#run(key, this.#parent.getKey(key)));
    }
    this.#commit(work);
  }

  #secondary(source: PortCollection<unknown>, events: readonly PortEvent<unknown>[]): void {
    const work: Work<I, O>[] = [];
    for (const key of this.#dependencies.changedInputs(source, events)) {
      work.push(this.#run(key, this.#parent.getKey(key)));
    }
    if (work.length > 0) this.#commit(work);
  }

  #run(key: string, input: I | undefined): Work<I, O> {
    if (input === undefined) return {key, input, results: undefined, dependencies: []};
    const ctx = new PortContext(source => this.#subscribe(source));
    const results = new Map<string, O>();
    for (const output of this.#formula(ctx, input)) results.set(this.keyOf(output), output);
    return {key, input, results, dependencies: ctx.dependencies};
  }

  #subscribe(source: PortCollection<unknown>): void {
    if (this.#registered.has(source.uid)) return;
    this.#registered.add(source.uid);
    source.register(events => this.queue.push(() => this.#secondary(source, events)), false);
  }

  #commit(work: readonly Work<I, O>[]): void {
    const events: PortEvent<O>[] = [];
    for (const {key, input, results, dependencies} of work) {
      if (input === undefined || results === undefined) {
        this.#remove(key, events);
        continue;
      }
      this.#dependencies.update(key, dependencies);
      const before = this.#mappings.get(key) ?? new Set<string>();
      this.#mappings.set(key, new Set(results.keys()));
      this.#inputs.set(key, input);
      for (const outputKey of new Set([...before, ...results.keys()])) {
        const old = this.items.get(outputKey);
        const next = results.get(outputKey);
        if (old !== undefined && next !== undefined && deepEqual(next, old)) continue;
        this.put(outputKey, next);
        if (next === undefined) events.push({event: 'delete', old: old!});
        else if (old === undefined) events.push({event: 'add', new: next});
        else events.push({event: 'update', old, new: next});
      }
    }
    this.publish(events);
  }

  #remove(key: string, events: PortEvent<O>[]): void {
    for (const outputKey of this.#mappings.get(key) ?? []) {
      const old = this.items.get(outputKey);
      if (old === undefined) continue;
      this.put(outputKey, undefined);
      events.push({event: 'delete', old});
    }
    this.#mappings.delete(key);
    this.#inputs.delete(key);
    this.#dependencies.delete(key);
  }
}

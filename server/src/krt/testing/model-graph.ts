// Builds a random graph through the public interface of an engine: the real one or the plain one.

import type {
  Collection,
  DerivedCollection,
  Engine,
  Filter,
  HandlerContext,
  Index,
  StaticCollection,
  StaticSingleton,
} from '../index.ts';
import * as real from '../index.ts';
import {type Script, text} from './model-script.ts';
import {
  bucketOf,
  bucketWanted,
  type Fault,
  type FetchSpec,
  type FilterKind,
  type FormulaResult,
  type FormulaSpec,
  groupRow,
  hasFormula,
  type Item,
  keysWanted,
  mapItem,
  mergeItems,
  type NodeSpec,
  noItem,
  runFormula,
  TRIGGERS,
  trap,
} from './model-spec.ts';
import {plain} from './plain-krt.ts';

/** The functions that a graph is built with. */
export type Krt = Pick<typeof real, keyof typeof plain>;

export const realKrt: Krt = real;
export const plainKrt = plain as unknown as Krt;

/** One node of the graph in the engine. */
export interface Built {
  readonly items: Collection<Item>;
  /** Further collections that must agree with the plain engine. */
  readonly status?: Collection<{obj: Item; status: {found: number}}>;
  readonly index?: Collection<{key: string; objects: readonly Item[]}>;
  readonly list?: StaticCollection<Item>;
  readonly single?: StaticSingleton<Item>;
  readonly sync?: () => void;
  readonly container?: StaticCollection<Collection<Item>>;
  readonly replace?: () => void;
  /** Everything that was made for this node, last first, which is the order to stop it in. */
  readonly parts: readonly {stop(): void}[];
}

export class Graph {
  readonly krt: Krt;
  readonly engine: Engine;
  readonly nodes: Built[] = [];
  readonly #script: Script;
  readonly triggers;
  readonly #indexes = new Map<number, Index<Item>>();

  constructor(krt: Krt, script: Script) {
    this.krt = krt;
    const {firstRuns} = script.spec;
    let time = 0;
    // The clock advances with every read, so that a test can check the times in a trace.
    const clock = {now: () => ++time, after: () => () => {}};
    this.engine = krt.createEngine(firstRuns === undefined ? {clock} : {clock, firstRuns});
    this.#script = script;
    this.triggers = Array.from({length: TRIGGERS}, (_, t) =>
      krt.newRecomputeTrigger(this.engine, {name: `trigger ${t}`}),
    );
  }

  #trap(fault: Fault, item: Item): void {
    trap(this.#script.spec, fault, item);
  }

  #settings(name: string): real.Options<Item> {
    const trapped =
      <T>(fault: Fault, f: (item: Item) => T) =>
      (item: Item) => {
        this.#trap(fault, item);
        return f(item);
      };
    return {
      name,
      key: trapped('key', item => item.key),
      namespace: trapped('namespace', item => item.ns),
      labels: trapped('labels', item => item.labels),
      selector: trapped('selector', item => item.selector),
      equals: (a, b) => {
        // Only where they differ: the plain engine runs and compares more often.
        if (text(a) === text(b)) return true;
        this.#trap('equals', b);
        return false;
      },
    };
  }

  /** Adds the next node of the case. */
  create(): void {
    const i = this.nodes.length;
    const spec = this.#script.spec.nodes[i]!;
    if (hasFormula(spec)) {
      // Create the index before any run, because a formula cannot create one.
      for (const f of spec.formula.fetches) if (f.filters.includes('index')) this.#index(f.target);
    }
    this.nodes.push(this.#build(i, spec));
  }

  #build(i: number, spec: NodeSpec): Built {
    const name = `${i} ${spec.kind}`;
    switch (spec.kind) {
      case 'source': {
        const latch = this.#script.latched[i]! ? undefined : this.krt.newSyncLatch(this.engine);
        const own = latch === undefined ? this.#settings(name) : {...this.#settings(name), synced: latch};
        const list = this.krt.newStaticCollection<Item>(
          this.engine,
          [...this.#script.items[i]!.values()],
          own,
        );
        return {items: list, list, sync: () => latch?.markSynced(), parts: [list]};
      }
      case 'static': {
        const [value] = this.#script.items[i]!.values();
        const single = this.krt.newStatic<Item>(this.engine, value, {
          ...this.#settings(name),
          synced: this.#script.latched[i]!,
        });
        return {items: single, single, sync: () => single.markSynced(), parts: [single]};
      }
      case 'map': {
        const items = this.krt.mapCollection(
          this.#items(spec.input),
          item => this.#mapped(item),
          this.#settings(name),
        );
        return {items, parts: [items]};
      }
      case 'group': {
        const by = this.#newIndex(spec.input, `group ${i}`, spec.by);
        const index = by.asCollection();
        const items = this.krt.newCollection(
          index,
          (_, g) => groupRow(g.key, g.objects),
          this.#settings(name),
        );
        return {items, index, parts: [items, index]};
      }
      case 'nested': {
        const members = [...this.#script.attached[i]!].map(m => this.#items(m));
        const container = this.krt.newStaticCollection<Collection<Item>>(this.engine, members, {
          name: `${name} members`,
        });
        const items = this.krt.nestedJoinWithMergeCollection(
          container,
          items => this.#merged(items),
          this.#settings(name),
        );
        return {items, container, parts: [items, container]};
      }
      case 'merge': {
        const items = this.krt.joinWithMergeCollection(
          this.#all(spec.inputs),
          items => this.#merged(items),
          this.#settings(name),
        );
        return {items, parts: [items]};
      }
      case 'join': {
        const items = this.krt.joinCollection(this.#all(spec.inputs), this.#settings(name));
        return {items, parts: [items]};
      }
      case 'unchecked': {
        const members = this.#all(spec.inputs).map((member, p) =>
          this.krt.newCollection(
            member,
            (_, item) => ({...item, key: `p${p}/${item.key}`}),
            this.#settings(`${name} prefix ${p}`),
          ),
        );
        const items = this.krt.joinCollection(members, {...this.#settings(name), unchecked: true});
        return {items, parts: [items, ...members]};
      }
      default:
        return this.#derived(i, spec, name);
    }
  }

  #derived(i: number, spec: Extract<NodeSpec, {formula: FormulaSpec}>, name: string): Built {
    const run = (ctx: HandlerContext, item: Item, many: boolean): FormulaResult =>
      this.#run(spec.formula, this.#script.salts[i]!, many, item, ctx);
    const one = (ctx: HandlerContext, item: Item) => run(ctx, item, false).rows[0];
    const many = (ctx: HandlerContext, item: Item) => run(ctx, item, true).rows;
    const own = this.#settings(name);
    const replaceable = (
      items: DerivedCollection<Item, Item>,
      f: (ctx: HandlerContext, item: Item) => unknown,
    ): Built => ({
      items,
      replace: () => items.replaceFormula((ctx, item) => f(ctx, item)),
      parts: [items],
    });
    switch (spec.kind) {
      case 'one':
        return replaceable(this.krt.newCollection<Item, Item>(this.#items(spec.input), one, own), one);
      case 'many':
        return replaceable(this.krt.newManyCollection<Item, Item>(this.#items(spec.input), many, own), many);
      case 'singleton': {
        const items = this.krt.newSingleton<Item>(this.engine, ctx => one(ctx, noItem), own);
        return {items, replace: () => items.replaceFormula(ctx => one(ctx, noItem)), parts: [items]};
      }
      case 'nothing': {
        const items = this.krt.newManyFromNothing<Item>(this.engine, ctx => many(ctx, noItem), own);
        return {items, parts: [items]};
      }
      case 'status': {
        const [status, items] = this.krt.newStatusCollection<Item, {found: number}, Item>(
          this.#items(spec.input),
          (ctx, item) => {
            const {rows, status} = run(ctx, item, false);
            return [status, rows[0]];
          },
          own,
        );
        return {items, status, parts: [status, items]};
      }
      case 'statusMany': {
        const [status, items] = this.krt.newStatusManyCollection<Item, {found: number}, Item>(
          this.#items(spec.input),
          (ctx, item) => {
            const {rows, status} = run(ctx, item, true);
            return [status, rows];
          },
          own,
        );
        return {items, status, parts: [status, items]};
      }
    }
  }

  #run(formula: FormulaSpec, salt: number, many: boolean, item: Item, ctx: HandlerContext): FormulaResult {
    this.#trap('formula', item);
    return runFormula(formula, salt, many, item, this.#reader(ctx));
  }

  #mapped(item: Item): Item {
    this.#trap('map', item);
    return mapItem(item);
  }

  // The result must not depend on the order of the items.
  #merged(items: readonly Item[]): Item | undefined {
    for (const item of items) this.#trap('merge', item);
    return mergeItems(items);
  }

  #newIndex(target: number, name: string, by: 'ns' | 'n'): Index<Item> {
    const items = this.#items(target);
    try {
      return this.krt.newIndex(items, name, item => {
        this.#trap('index', item);
        return bucketOf(item, by);
      });
    } catch {
      // An index is refused if its function cannot read an existing row.
      return this.krt.newIndex(items, `tame ${name}`, item => bucketOf(item, by));
    }
  }

  #reader(ctx: HandlerContext) {
    const filters = (spec: FetchSpec, item: Item) =>
      spec.filters.map(kind => this.#filter(kind, spec.target, item));
    return {
      fetch: (spec: FetchSpec, item: Item): readonly Item[] => {
        const target = this.#items(spec.target);
        if (spec.how !== 'one') return this.krt.fetch(ctx, target, ...filters(spec, item));
        const found = this.krt.fetchOne(ctx, target, this.krt.filterKey(item.ref));
        return found === undefined ? [] : [found];
      },
      partial: (spec: FetchSpec, item: Item) =>
        this.krt.partialFetch(
          ctx,
          this.#items(spec.target),
          (o: Item) => {
            this.#trap('project', o);
            return o.n % 2;
          },
          (a, b) => a === b,
          ...filters(spec, item),
        ),
      exists: (spec: FetchSpec, item: Item) =>
        this.krt.resourceExists(ctx, this.#items(spec.target), item.ref),
      trigger: (t: number) => {
        this.triggers[t]!.markDependant(ctx);
        return this.#script.outside[t]!;
      },
      discard: () => ctx.discardResult(),
    };
  }

  #filter(kind: FilterKind, target: number, item: Item): Filter {
    switch (kind) {
      case 'key':
        return this.krt.filterKey(item.ref);
      case 'keys':
        return this.krt.filterKeys(keysWanted(item));
      case 'namespace':
        return this.krt.filterNamespace(item.ns);
      case 'label':
        return this.krt.filterLabel(item.labels);
      case 'selects':
        return this.krt.filterSelects(item.labels);
      case 'selectsNonEmpty':
        return this.krt.filterSelectsNonEmpty(item.labels);
      case 'index':
        return this.krt.filterIndex(this.#index(target), bucketWanted(item));
      case 'generic':
        return this.krt.filterGeneric((other: Item) => {
          this.#trap('generic', other);
          return other.n > item.n;
        });
    }
  }

  #index(target: number): Index<Item> {
    let index = this.#indexes.get(target);
    if (index === undefined) {
      index = this.#newIndex(target, 'by n', 'n');
      this.#indexes.set(target, index);
    }
    return index;
  }

  #items(node: number): Collection<Item> {
    return this.nodes[node]!.items;
  }

  #all(nodes: readonly number[]): Collection<Item>[] {
    return nodes.map(n => this.#items(n));
  }
}

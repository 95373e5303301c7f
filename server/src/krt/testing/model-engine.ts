// A random graph built on the engine through its public face, and the operations of its script applied to it.
import {
  type Collection,
  createEngine,
  type DerivedCollection,
  type Engine,
  type Filter,
  fetch,
  fetchOne,
  filterGeneric,
  filterIndex,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterSelects,
  filterSelectsNonEmpty,
  type HandlerContext,
  type Index,
  joinCollection,
  joinWithMergeCollection,
  mapCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newManyFromNothing,
  newRecomputeTrigger,
  newSingleton,
  newStatic,
  newStaticCollection,
  newStatusCollection,
  newStatusManyCollection,
  newSyncLatch,
  partialFetch,
  resourceExists,
  type StaticCollection,
  type StaticSingleton,
} from '../index.ts';
import {
  bucketOf,
  bucketWanted,
  type CaseSpec,
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
} from './model-spec.ts';

const options = (name: string) => ({
  name,
  key: (item: Item) => item.key,
  namespace: (item: Item) => item.ns,
  labels: (item: Item) => item.labels,
  selector: (item: Item) => item.selector,
});

/** One node of the graph as it stands in the engine. */
export interface Built {
  readonly items: Collection<Item>;
  /** Collections beside the main one that must agree with the oracle too. */
  readonly status?: Collection<{obj: Item; status: {found: number}}>;
  readonly index?: Collection<{key: string; objects: readonly Item[]}>;
  readonly list?: StaticCollection<Item>;
  readonly single?: StaticSingleton<Item>;
  readonly sync?: () => void;
  readonly container?: StaticCollection<Collection<Item>>;
  readonly replace?: () => void;
  /** Everything that was made for this node, the last first: the order to stop in. */
  readonly parts: readonly {stop(): void}[];
}

/** What the graph is made from: the script's own state, which the oracle keeps. */
export interface Given {
  readonly spec: CaseSpec;
  items(node: number): Iterable<Item>;
  latched(node: number): boolean;
  attached(node: number): ReadonlySet<number>;
  salt(node: number): number;
  outside(trigger: number): number;
}

export class EngineGraph {
  readonly engine: Engine;
  readonly nodes: Built[] = [];
  readonly #given: Given;
  readonly triggers;
  readonly #indexes = new Map<number, Index<Item>>();

  constructor(given: Given) {
    this.#given = given;
    const {firstRuns} = given.spec;
    this.engine = createEngine(firstRuns === undefined ? {} : {firstRuns});
    this.triggers = Array.from({length: TRIGGERS}, (_, t) =>
      newRecomputeTrigger(this.engine, {name: `trigger ${t}`}),
    );
  }

  /** Adds the next node of the case. */
  create(): void {
    const i = this.nodes.length;
    const spec = this.#given.spec.nodes[i]!;
    if (hasFormula(spec)) {
      // Before any run: a formula makes no index.
      for (const f of spec.formula.fetches) if (f.filters.includes('index')) this.#index(f.target);
    }
    this.nodes.push(this.#build(i, spec));
  }

  #build(i: number, spec: NodeSpec): Built {
    const name = `${i} ${spec.kind}`;
    switch (spec.kind) {
      case 'source': {
        const latch = this.#given.latched(i) ? undefined : newSyncLatch(this.engine);
        const own = latch === undefined ? options(name) : {...options(name), synced: latch};
        const list = newStaticCollection<Item>(this.engine, [...this.#given.items(i)], own);
        return {items: list, list, sync: () => latch?.markSynced(), parts: [list]};
      }
      case 'static': {
        const [value] = this.#given.items(i);
        const single = newStatic<Item>(this.engine, value, {
          ...options(name),
          synced: this.#given.latched(i),
        });
        return {items: single, single, sync: () => single.markSynced(), parts: [single]};
      }
      case 'map': {
        const items = mapCollection(this.#items(spec.input), mapItem, options(name));
        return {items, parts: [items]};
      }
      case 'group': {
        const by = newIndex(this.#items(spec.input), `group ${i}`, (item: Item) => bucketOf(item, spec.by));
        const index = by.asCollection();
        const items = newCollection(index, (_, g) => groupRow(g.key, g.objects), options(name));
        return {items, index, parts: [items, index]};
      }
      case 'nested': {
        const members = [...this.#given.attached(i)].map(m => this.#items(m));
        const container = newStaticCollection<Collection<Item>>(this.engine, members, {
          name: `${name} members`,
        });
        const items = nestedJoinWithMergeCollection(container, mergeItems, options(name));
        return {items, container, parts: [items, container]};
      }
      case 'merge': {
        const items = joinWithMergeCollection(this.#all(spec.inputs), mergeItems, options(name));
        return {items, parts: [items]};
      }
      case 'join': {
        const items = joinCollection(this.#all(spec.inputs), options(name));
        return {items, parts: [items]};
      }
      case 'unchecked': {
        const members = this.#all(spec.inputs).map((member, p) =>
          newCollection(
            member,
            (_, item) => ({...item, key: `p${p}/${item.key}`}),
            options(`${name} prefix ${p}`),
          ),
        );
        const items = joinCollection(members, {...options(name), unchecked: true});
        return {items, parts: [items, ...members]};
      }
      default:
        return this.#derived(i, spec, name);
    }
  }

  #derived(i: number, spec: Extract<NodeSpec, {formula: FormulaSpec}>, name: string): Built {
    const run = (ctx: HandlerContext, item: Item, many: boolean): FormulaResult =>
      runFormula(spec.formula, this.#given.salt(i), many, item, this.#reader(ctx));
    const one = (ctx: HandlerContext, item: Item) => run(ctx, item, false).rows[0];
    const many = (ctx: HandlerContext, item: Item) => run(ctx, item, true).rows;
    const own = options(name);
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
        return replaceable(newCollection<Item, Item>(this.#items(spec.input), one, own), one);
      case 'many':
        return replaceable(newManyCollection<Item, Item>(this.#items(spec.input), many, own), many);
      case 'singleton': {
        const items = newSingleton<Item>(this.engine, ctx => one(ctx, noItem), own);
        return {items, replace: () => items.replaceFormula(ctx => one(ctx, noItem)), parts: [items]};
      }
      case 'nothing': {
        const items = newManyFromNothing<Item>(this.engine, ctx => many(ctx, noItem), own);
        return {items, parts: [items]};
      }
      case 'status': {
        const [status, items] = newStatusCollection<Item, {found: number}, Item>(
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
        const [status, items] = newStatusManyCollection<Item, {found: number}, Item>(
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

  #reader(ctx: HandlerContext) {
    const filters = (spec: FetchSpec, item: Item) =>
      spec.filters.map(kind => this.#filter(kind, spec.target, item));
    return {
      fetch: (spec: FetchSpec, item: Item): readonly Item[] => {
        const target = this.#items(spec.target);
        if (spec.how !== 'one') return fetch(ctx, target, ...filters(spec, item));
        const found = fetchOne(ctx, target, filterKey(item.ref));
        return found === undefined ? [] : [found];
      },
      partial: (spec: FetchSpec, item: Item) =>
        partialFetch(
          ctx,
          this.#items(spec.target),
          (o: Item) => o.n % 2,
          (a, b) => a === b,
          ...filters(spec, item),
        ),
      exists: (spec: FetchSpec, item: Item) => resourceExists(ctx, this.#items(spec.target), item.ref),
      trigger: (t: number) => {
        this.triggers[t]!.markDependant(ctx);
        return this.#given.outside(t);
      },
      discard: () => ctx.discardResult(),
    };
  }

  #filter(kind: FilterKind, target: number, item: Item): Filter {
    switch (kind) {
      case 'key':
        return filterKey(item.ref);
      case 'keys':
        return filterKeys(keysWanted(item));
      case 'namespace':
        return filterNamespace(item.ns);
      case 'label':
        return filterLabel(item.labels);
      case 'selects':
        return filterSelects(item.labels);
      case 'selectsNonEmpty':
        return filterSelectsNonEmpty(item.labels);
      case 'index':
        return filterIndex(this.#index(target), bucketWanted(item));
      case 'generic':
        return filterGeneric((other: Item) => other.n > item.n);
    }
  }

  #index(target: number): Index<Item> {
    let index = this.#indexes.get(target);
    if (index === undefined) {
      index = newIndex(this.#items(target), 'by n', (item: Item) => bucketOf(item, 'n'));
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

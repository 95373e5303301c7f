// The public names of the plain engine that random graphs need, and its filters.

import type {Options} from '../index.ts';
import {
  type Formula,
  many,
  one,
  type PlainContext,
  PlainDerived,
  type PlainFetch,
  type PlainFilter,
  withStatus,
} from './plain-derived.ts';
import {type Item, type PlainCollection, PlainEngine, PlainSource, safely} from './plain-engine.ts';
import {allSynced, byKey, mapped, merged, PlainIndex, PlainView, statusPair} from './plain-views.ts';

type Labels = Readonly<Record<string, string>>;

const labelsOf = ({options}: PlainCollection, item: Item): Labels =>
  safely(() => options.labels?.(item) ?? {}, {});
const selectorOf = ({options}: PlainCollection, item: Item): Labels =>
  safely(() => options.selector?.(item) ?? {}, {});
const namespaceOf = ({options}: PlainCollection, item: Item): string =>
  safely(() => options.namespace?.(item) ?? '', '');
const within = (part: Labels, whole: Labels) =>
  Object.entries(part).every(([name, value]) => whole[name] === value);
const never = () => false;

function read(
  ctx: PlainContext,
  target: PlainCollection,
  filters: PlainFilter[],
  same: PlainFetch['same'] = never,
): Item[] {
  return ctx.read(target, filters, same);
}

/** The public names that build random graphs. */
export const plain = {
  createEngine: () => new PlainEngine(),
  newSyncLatch: (engine: PlainEngine) => ({
    synced: false,
    markSynced() {
      engine.batch(() => {
        this.synced = true;
      });
    },
  }),
  newStaticCollection: (engine: PlainEngine, items: readonly Item[], options: Options<Item> = {}) =>
    new PlainSource(engine, items, options),
  newStatic: (engine: PlainEngine, item: Item, options: Options<Item> = {}) =>
    new PlainSource(engine, item === undefined ? [] : [item], options),
  newRecomputeTrigger: (engine: PlainEngine, options: Options<Item> = {}) => {
    const counter = new PlainSource(engine, [0], {...options, key: () => 'static'});
    let count = 0;
    return {
      name: counter.name,
      markDependant: (ctx: PlainContext) => void read(ctx, counter, []),
      triggerRecomputation: () => counter.set(++count),
      stop: () => counter.stop(),
    };
  },
  newCollection: (input: PlainCollection, formula: Formula, options: Options<Item> = {}) =>
    new PlainDerived(input.engine, input, formula, one, options),
  newManyCollection: (input: PlainCollection, formula: Formula, options: Options<Item> = {}) =>
    new PlainDerived(input.engine, input, formula, many, options),
  newSingleton: (engine: PlainEngine, formula: Formula, options: Options<Item> = {}) =>
    new PlainDerived(engine, undefined, formula, one, options),
  newManyFromNothing: (engine: PlainEngine, formula: Formula, options: Options<Item> = {}) =>
    new PlainDerived(engine, undefined, formula, many, options),
  newStatusCollection: (input: PlainCollection, formula: Formula, options: Options<Item> = {}) =>
    statusPair(new PlainDerived(input.engine, input, formula, withStatus(one), options)),
  newStatusManyCollection: (input: PlainCollection, formula: Formula, options: Options<Item> = {}) =>
    statusPair(new PlainDerived(input.engine, input, formula, withStatus(many), options)),
  mapCollection: (below: PlainCollection, project: (item: Item) => Item, options: Options<Item> = {}) =>
    new PlainView(
      below.engine,
      options,
      () => [below],
      allSynced,
      view => mapped(view, below, project),
    ),
  joinCollection: (members: readonly PlainCollection[], options: Options<Item> = {}) =>
    new PlainView(
      engineOf(members),
      options,
      () => members,
      () => true,
      (_, live) => byKey(live, (_key, [first]) => first),
    ),
  joinWithMergeCollection: (
    members: readonly PlainCollection[],
    merge: (items: Item[]) => Item,
    options: Options<Item> = {},
  ) =>
    new PlainView(
      engineOf(members),
      options,
      () => members,
      allSynced,
      (view, live) => merged(view, live, merge),
    ),
  nestedJoinWithMergeCollection: (
    container: PlainCollection,
    merge: (items: Item[]) => Item,
    options: Options<Item> = {},
  ) => {
    const all = () => {
      container.settle();
      return [container, ...container.list()];
    };
    return new PlainView(container.engine, options, all, allSynced, (view, live) =>
      merged(
        view,
        live.filter(member => member !== container),
        merge,
      ),
    );
  },
  newIndex: (collection: PlainCollection, _name: string, extract: (item: Item) => Iterable<Item>) =>
    new PlainIndex(collection, extract),
  fetch: (ctx: PlainContext, target: PlainCollection, ...filters: PlainFilter[]) =>
    read(ctx, target, filters),
  fetchOne: (ctx: PlainContext, target: PlainCollection, ...filters: PlainFilter[]) => {
    const found = read(ctx, target, filters);
    if (found.length > 1) throw new Error('more than one');
    return found[0];
  },
  partialFetch: (
    ctx: PlainContext,
    target: PlainCollection,
    project: (item: Item) => Item,
    same: (a: Item, b: Item) => boolean,
    ...filters: PlainFilter[]
  ) =>
    read(ctx, target, filters, (old, now) => safely(() => same(project(old), project(now)), false)).map(
      project,
    ),
  resourceExists: (ctx: PlainContext, target: PlainCollection, key: string) =>
    read(ctx, target, [(_, own) => own === key], () => true).length > 0,
  filterKey:
    (wanted: string): PlainFilter =>
    (_, key) =>
      key === wanted,
  filterKeys:
    (wanted: readonly string[]): PlainFilter =>
    (_, key) =>
      wanted.includes(key),
  filterNamespace:
    (namespace: string): PlainFilter =>
    (target, _, item) =>
      namespaceOf(target, item) === namespace,
  filterLabel:
    (labels: Labels): PlainFilter =>
    (target, _, item) =>
      within(labels, labelsOf(target, item)),
  filterSelects:
    (labels: Labels): PlainFilter =>
    (target, _, item) =>
      within(selectorOf(target, item), labels),
  filterSelectsNonEmpty:
    (labels: Labels): PlainFilter =>
    (target, _, item) => {
      const selector = selectorOf(target, item);
      return Object.keys(selector).length > 0 && within(selector, labels);
    },
  filterIndex:
    (index: PlainIndex, bucket: string): PlainFilter =>
    (_target, _key, item) =>
      index.keysOf(item).includes(bucket),
  filterGeneric: (test: (item: Item) => boolean): PlainFilter =>
    Object.assign((_target: PlainCollection, _key: string, item: Item) => test(item), {last: true}),
};

function engineOf([first]: readonly PlainCollection[]): PlainEngine {
  return (first as PlainCollection).engine;
}

// One test setup for each kind of collection. Each has put() and remove(), which add, change and remove a row.
// kinds.conformance.test.ts runs one suite over all of them.
import {
  type Collection,
  createEngine,
  type Engine,
  fetch,
  type Index,
  joinCollection,
  joinWithMergeCollection,
  mapCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newManyFromNothing,
  newSingleton,
  newStatic,
  newStaticCollection,
  newStatusCollection,
  newStatusManyCollection,
  type StaticCollection,
} from '../index.ts';

export interface Pair {
  readonly key: string;
  readonly n: number;
}

export interface Rig {
  readonly engine: Engine;
  readonly collection: Collection<unknown>;
  put(key: string, n: number): void;
  remove(key: string): void;
  /** Everything inside is one turn of the collection. */
  batch(f: () => void): void;
  read(row: unknown): number;
}

export interface RigKind {
  readonly name: string;
  /** Holds at most one row: putting another key replaces it. */
  readonly single?: boolean;
  /** Refuses an index, as upstream does. */
  readonly noIndex?: boolean;
  create(): Rig;
}

const metadata = {team: 'network'};
const options = (name: string) => ({name, metadata, key: (row: Pair) => row.key});
const copy = ({key, n}: Pair): Pair => ({key, n});

function rig(
  engine: Engine,
  source: StaticCollection<Pair>,
  collection: Collection<unknown>,
  read = ownValue,
): Rig {
  return {
    engine,
    collection,
    put: (key, n) => source.updateObject({key, n}),
    remove: key => source.deleteObject(key),
    batch: f => engine.batch(f),
    read,
  };
}

function ownValue(row: unknown): number {
  return (row as Pair).n;
}

/** A kind whose collection is made from one list of pairs. */
function over(
  name: string,
  build: (source: StaticCollection<Pair>, engine: Engine) => Collection<unknown>,
  more: Partial<RigKind> & {read?: (row: unknown) => number} = {},
): RigKind {
  const {read, ...rest} = more;
  return {
    name,
    ...rest,
    create() {
      const engine = createEngine();
      const source = newStaticCollection<Pair>(engine, [], {name: 'source', key: row => row.key});
      return rig(engine, source, build(source, engine), read);
    },
  };
}

const staticList: RigKind = {
  name: 'static list',
  create() {
    const engine = createEngine();
    const list = newStaticCollection<Pair>(engine, [], options('it'));
    return rig(engine, list, list);
  },
};

const staticSingleton: RigKind = {
  name: 'static singleton',
  single: true,
  create() {
    const engine = createEngine();
    const one = newStatic<Pair>(engine, undefined, options('it'));
    return {
      engine,
      collection: one,
      put: (key, n) => one.set({key, n}),
      remove: () => one.set(undefined),
      batch: f => engine.batch(f),
      read: ownValue,
    };
  },
};

const empty = (engine: Engine, name: string) =>
  newStaticCollection<Pair>(engine, [], {name, key: row => row.key});

const first = (items: readonly Pair[]): Pair => copy(items[0]!);
const statusValue = (row: unknown): number => (row as {status: {n: number}}).status.n;
const bucketValue = (row: unknown): number => (row as {objects: readonly Pair[]}).objects[0]!.n;

export const rigKinds: readonly RigKind[] = [
  staticList,
  staticSingleton,
  over('derived one-to-one', source => newCollection(source, (_, row) => copy(row), options('it'))),
  over('derived one-to-many', source => newManyCollection(source, (_, row) => [copy(row)], options('it'))),
  over(
    'singleton',
    (source, engine) =>
      newSingleton<Pair>(
        engine,
        ctx => fetch(ctx, source).toSorted((a, b) => (a.key < b.key ? 1 : -1))[0],
        options('it'),
      ),
    {single: true},
  ),
  over('many from nothing', (source, engine) =>
    newManyFromNothing<Pair>(engine, ctx => fetch(ctx, source).map(copy), options('it')),
  ),
  over(
    'status',
    source => newStatusCollection(source, (_, row) => [{n: row.n}, copy(row)] as const, options('it'))[0],
    {read: statusValue},
  ),
  over(
    'outputs of a status',
    source =>
      newStatusManyCollection(source, (_, row) => [{n: row.n}, [copy(row)]] as const, options('it'))[1],
  ),
  over('map', source => mapCollection(source, copy, options('it'))),
  over('join', (source, engine) => joinCollection([empty(engine, 'other'), source], options('it'))),
  over('unchecked join', (source, engine) =>
    joinCollection([empty(engine, 'other'), source], {...options('it'), unchecked: true}),
  ),
  over('merge join', (source, engine) =>
    joinWithMergeCollection([empty(engine, 'other'), source], first, options('it')),
  ),
  over('nested merge join', (source, engine) => {
    const members = newStaticCollection<Collection<Pair>>(engine, [empty(engine, 'other'), source], {
      name: 'members',
    });
    return nestedJoinWithMergeCollection(members, first, options('it'));
  }),
  over(
    'index as a collection',
    source => {
      const index: Index<Pair> = newIndex(source, 'by key', (row: Pair) => [row.key]);
      return index.asCollection({name: 'it', metadata});
    },
    {read: bucketValue, noIndex: true},
  ),
];

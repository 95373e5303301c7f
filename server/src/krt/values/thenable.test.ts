// Promises where a value is needed are refused with a message, and their rejections are handled, or the process would
// end.
import {expect, test} from 'vitest';
import {
  batchedEventFilter,
  createEngine,
  dependenciesOf,
  dummyContext,
  type Engine,
  fetch,
  fetchOrList,
  filterGeneric,
  filterLabel,
  filterNamespace,
  filterSelects,
  inputs,
  joinWithMergeCollection,
  mapCollection,
  newCollection,
  newFileCollection,
  newFileSingleton,
  newFolderWatch,
  newIndex,
  newManyCollection,
  newNamespaceIndex,
  newSingleton,
  newStaticCollection,
  newStatusCollection,
  newStatusManyCollection,
  onTurn,
  partialFetch,
  probe,
  repeat,
  repeatView,
  type StaticCollection,
} from '../index.ts';
import {violated} from '../testing/objects.ts';

interface Item {
  key: string;
  n?: number;
}

type Source = StaticCollection<Item>;

const late = (): never => Promise.reject(new Error('late')) as never;
const lateOf = (n: number | undefined): never => (n === 13 ? late() : undefined) as never;
const off = () => createEngine({checks: 'off'});
const reader = (read: () => string = () => 'x') => ({list: () => ['a.yaml'], read, watch: () => () => {}});

const refused = (f: () => unknown) => {
  try {
    f();
    return 'taken';
  } catch (error) {
    return String(error);
  }
};

/** Unhandled rejections while `f` runs. */
async function unhandled(f: () => void): Promise<string[]> {
  const heard: string[] = [];
  const hear = (error: unknown) => void heard.push(String(error));
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', hear);
  try {
    f();
    await new Promise(done => setTimeout(done, 2));
    return heard;
  } finally {
    process.removeListener('unhandledRejection', hear);
    for (const other of others) process.on('unhandledRejection', other);
  }
}

// Each reports its result: an error, a state, a violation.
const answers: Record<string, (source: Source, engine: Engine) => unknown> = {
  'an index': source => refused(() => newIndex(source, 'i', late)),
  'several keys of an index': source => refused(() => newIndex(source, 'i', () => [late(), late()])),
  'the index of a row that comes later': (source, engine) => {
    newIndex(source, 'i', ({n}) => lateOf(n));
    source.updateObject({key: 'b', n: 13});
    return engine.violations()[0]?.message;
  },
  'the key of a source': (_, engine) => refused(() => newStaticCollection(engine, [{}], {key: late})),
  'the key of a row': source => inputs(newCollection(source, (_, item) => item, {key: late}))[0]?.error,
  'the key of a map': source => mapCollection(source, item => item, {key: late}).rowState('a')?.error,
  'a map whose items have a key option': source =>
    mapCollection(source, late, {key: (item: Item) => item.key}).rowState('a')?.error,
  resourceName: (_, engine) => refused(() => newStaticCollection(engine, [{resourceName: late}])),
  'the namespace of metadata': (_, engine) =>
    refused(() => newStaticCollection(engine, [{metadata: {name: 'a', namespace: late()}}])),
  getNamespace: (_, engine) => {
    const items = newStaticCollection(engine, [{key: 'a', getNamespace: late}]);
    expect(fetchOrList(null, items, filterNamespace('[object Promise]'))).toEqual([]);
    return engine.violations()[0]?.message;
  },
  'augment, for an index by namespace': (_, engine) =>
    refused(() => newNamespaceIndex(newStaticCollection<Item>(engine, [{key: 'a'}], {augment: late}))),
  'an output beside a status': source =>
    inputs(newStatusCollection(source, () => [late(), late()])[1])[0]?.error,
  'outputs beside a status': source =>
    inputs(newStatusManyCollection(source, () => [late(), [late(), late()]])[1])[0]?.error,
  'an item of many, and those after it': source =>
    inputs(newManyCollection(source, () => [late(), late()]))[0]?.error,
  'an item that a generator yields': source => {
    const rows = newManyCollection(source, function* () {
      yield late();
    });
    expect(repeat(rows, {key: 'a'}, () => [])?.error).toContain('promise');
    expect(probe(rows, 'a', item => item).error).toContain('promise');
    return inputs(rows)[0]?.error;
  },
  'an item of a set of many': source =>
    inputs(newManyCollection(source, () => new Set([late(), late()]) as never))[0]?.error,
  'the projection of a partial fetch': (source, engine) => {
    const found = newSingleton(engine, ctx => partialFetch(ctx, source, late, () => true));
    source.updateObject({key: 'a', n: 1});
    return inputs(found)[0]?.error;
  },
  'the projection of a partial fetch, for an update': (source, engine) => {
    const found = newSingleton(engine, ctx =>
      partialFetch(
        ctx,
        source,
        ({n}) => lateOf(n),
        () => true,
      ),
    );
    source.updateObject({key: 'a', n: 13});
    return inputs(found)[0]?.error;
  },
  'the projection of a partial fetch by hand': source =>
    refused(() => partialFetch(dummyContext(), source, late)),
  'a listener of turns': (source, engine) => {
    onTurn(engine, late);
    source.updateObject({key: 'a', n: 1});
    return engine.violations()[0]?.message;
  },
  'a projection of batchedEventFilter': source => {
    const heard: string[] = [];
    const hear = batchedEventFilter(late, changes => void heard.push(...changes.map(() => 'promise')));
    source.registerBatch(hear, false);
    source.updateObject({key: 'a', n: 1});
    return heard.join();
  },
  'the parser of a folder': () => refused(() => newFolderWatch(createEngine({reader: reader()}), '', late)),
  'items of the parser of a folder': () =>
    refused(() => newFolderWatch(createEngine({reader: reader()}), '', () => [late(), late()])),
  'the transform of files': () =>
    refused(() =>
      newFileCollection(
        newFolderWatch(createEngine({reader: reader()}), '', () => ['a']),
        late,
      ),
    ),
  'the parser of a file': () => refused(() => newFileSingleton(createEngine({reader: reader()}), 'a', late)),
  'a reader of files': () =>
    refused(() => newFileSingleton(createEngine({reader: reader(late)}), 'a', text => text)),
  'a reader of folders': () =>
    refused(() => newFolderWatch(createEngine({reader: {...reader(), list: late}}), '', text => [text])),
  'a map that is repeated': source =>
    repeatView(
      mapCollection(source, ({key}) => key),
      [{key: 'a'}],
      late,
    )?.error,
  'a merge that is repeated': source =>
    repeatView(
      joinWithMergeCollection([source], ([first]) => first),
      [{key: 'a'}],
      late,
    )?.error,
  'a formula that is repeated': source =>
    repeat(newCollection(source, late, {key: () => 'a'}), {key: 'a'}, () => [])?.error,
  'items of a formula that is repeated': source =>
    repeat(
      newManyCollection(source, () => [late(), late()]),
      {key: 'a'},
      () => [],
    )?.error,
  'a bucket’s own key': source =>
    newIndex(source, 'i', () => ['x'])
      .asCollection({fromString: late})
      .rowState('x')?.error,
  'a formula that is probed': source => probe(newCollection(source, late), 'a', item => item).error,
  'a filter that is a callable promise': (source, engine) => {
    const callable = Object.assign(() => true, Object.fromEntries([['then', () => {}]])) as never;
    return inputs(
      newSingleton(engine, ctx =>
        fetch(
          ctx,
          source,
          filterGeneric(() => callable),
        ),
      ),
    )[0]?.error;
  },
};

test.each(Object.entries(answers))('[R11] a promise is no answer: %s', async (_, ask) => {
  const said: unknown[] = [];
  const rejections = await unhandled(() => {
    const engine = off();
    said.push(ask(newStaticCollection<Item>(engine, [{key: 'a'}]), engine));
  });
  expect(rejections).toEqual([]);
  expect(said).toEqual([expect.stringContaining('promise')]);
});

test('[R11] [C6] a part of a dependency that answers with a promise does not match, and says so', async () => {
  const attributes = {namespace: 'n', labels: {app: 'x'}, selector: {app: 'x'}};
  const either = <K extends keyof typeof attributes>(what: K) => ({
    [what]: (item: Item) => (item.n === 13 ? late() : attributes[what]),
  });
  const filters = [filterNamespace('n'), filterLabel({app: 'x'}), filterSelects({app: 'x'})];
  const rejections = await unhandled(() => {
    const engine = off();
    const options = {...either('namespace'), ...either('labels'), ...either('selector')};
    const source = newStaticCollection<Item>(engine, [{key: 'a'}], options);
    const generic = filterGeneric((item: Item) => (item.n === 13 ? late() : true));
    const found = newSingleton(engine, ctx => ({n: fetch(ctx, source, ...filters, generic).length}));
    const tested = dependenciesOf(found, '')[0]!.test({key: 'b', n: 13});
    expect(tested).toHaveLength(4);
    for (const part of tested) {
      expect(part).toMatchObject({matches: false, error: expect.stringContaining('promise')});
    }
  });
  expect(rejections).toEqual([]);
});

test('[R11] [R6] an async formula that has to wait waits, and its rejection is nobody’s', async () => {
  const rejections = await unhandled(() => {
    const engine = off();
    const waited = newStaticCollection<Item>(engine, [], {name: 'waited', synced: false});
    const source = newStaticCollection<Item>(engine, [{key: 'a'}]);
    const rows = newCollection(source, async ctx => fetch(ctx, waited));
    expect(inputs(rows)).toMatchObject([{outcome: 'suspended', waitingFor: 'waited'}]);
    expect(probe(rows, 'a', item => item)).toMatchObject({waitingFor: 'waited'});
  });
  expect(rejections).toEqual([]);
});

test('[R11] [V2] a formula that is async when it is repeated is found, and its rejection is nobody’s', async () => {
  const rejections = await unhandled(() => {
    const engine = createEngine({checks: 'all'});
    const source = newStaticCollection<Item>(engine, [{key: 'a'}]);
    let runs = 0;
    newManyCollection(source, (_, {key}) => (runs++ > 0 ? [late(), late()] : [{key}]), {name: 'rows'});
    expect(violated(engine)).toEqual(['non-deterministic rows a']);
  });
  expect(rejections).toEqual([]);
});

test('[R11] a promise of the user’s own kind is quieted as well', async () => {
  class Odd extends Promise<unknown> {
    override catch(): never {
      throw new Error('caught');
    }
  }
  const rejections = await unhandled(() => {
    const source = newStaticCollection<Item>(off(), [{key: 'a'}]);
    const own = () => {
      const promise = Promise.reject(new Error('late'));
      return Object.defineProperty(promise, 'catch', {value: () => Promise.reject(new Error('caught'))});
    };
    for (const odd of [own, () => Odd.reject(new Error('late'))]) {
      expect(inputs(newCollection(source, odd as never))[0]?.error).toContain('promise');
    }
  });
  expect(rejections).toEqual([]);
});

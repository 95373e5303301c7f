import {expect, test} from 'vitest';
import {
  createEngine,
  dependenciesOf,
  type FetchRecord,
  fetch,
  filterKey,
  filterLabel,
  filterNamespace,
  filterSelectsNonEmpty,
  inputs,
  inputsOf,
  joinCollection,
  joinWithMergeCollection,
  mapCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newStaticCollection,
  newSyncLatch,
  outputsOf,
  type ProbedRead,
  probe,
  type Run,
} from '../index.ts';
import {keyOf, rig, selecting, type Thing, thing} from '../testing/objects.ts';

interface Row {
  key: string;
  v: unknown;
}
const byKey = {key: (row: Row) => row.key};

function workloads() {
  let now = 100;
  const all = rig({clock: {now: () => now++, after: () => () => {}}});
  const services = newStaticCollection<Thing>(all.engine, [], {name: 'services'});
  const pods = newStaticCollection<Thing>(all.engine, [thing('n/p', 1, {app: 'x'})], {name: 'pods'});
  const rows = newCollection(
    pods,
    (ctx, pod) => ({
      key: keyOf(pod),
      v: fetch(ctx, services, filterNamespace('n'), filterSelectsNonEmpty(pod.metadata.labels)).map(keyOf),
    }),
    {...byKey, name: 'workloads'},
  );
  const counts = newCollection(rows, (_, row) => ({key: row.key, v: (row.v as string[]).length}), {
    ...byKey,
    name: 'counts',
  });
  all.traces();
  return {...all, services, pods, rows, counts};
}

test('[C1] [C4] a trace tells the whole wave: writes, runs, causes, what each published', () => {
  const {services, traces} = workloads();
  const service = selecting('n/s', {app: 'x'});
  services.updateObject(service);
  const [trace] = traces();
  expect(trace?.changes).toEqual([{collection: 'services', uid: 2, key: 'n/s', event: 'add', new: service}]);
  expect(trace?.runs.map(r => [r.collection, r.input, r.outcome, r.causes])).toEqual([
    [
      'workloads',
      'n/p',
      'changed',
      [
        {
          kind: 'fetch',
          collection: 'services',
          uid: 2,
          key: 'n/s',
          event: 'add',
          fetch: 0,
          filter: 'namespace n and selects non-empty {app=x}',
          matched: 'new',
          via: {kind: 'index', name: 'selects'},
          published: 0,
        },
      ],
    ],
    [
      'counts',
      'n/p',
      'changed',
      [{kind: 'input', collection: 'workloads', uid: 4, key: 'n/p', event: 'update', run: 0, published: 1}],
    ],
  ]);
  expect(trace?.published.map(p => [p.collection, p.key, p.event, p.run])).toEqual([
    ['services', 'n/s', 'add', null],
    ['workloads', 'n/p', 'update', 0],
    ['counts', 'n/p', 'update', 1],
  ]);
});

test('[C2] [C3] a run tells its fetches, what it gained and lost, its outputs, and its times', () => {
  const {services, pods, traces} = workloads();
  services.updateObject(selecting('n/s', {app: 'y'}));
  traces();
  pods.updateObject(thing('n/p', 1, {app: 'y'}));
  const [trace] = traces();
  const run = trace?.runs[0];
  expect(run?.fetches).toEqual([
    {
      collection: 'services',
      uid: 2,
      filter: 'namespace n and selects non-empty {app=y}',
      clauses: [
        {kind: 'namespace', text: 'namespace n', namespace: 'n'},
        {kind: 'selects', text: 'selects non-empty {app=y}', labels: {app: 'y'}, nonEmpty: true},
      ],
      matched: 1,
      scanned: 1,
      via: {kind: 'index', name: 'selects'},
      keys: ['n/s'],
    },
  ]);
  const ref = (app: string) => ({
    collection: 'services',
    uid: 2,
    filter: `namespace n and selects non-empty {app=${app}}`,
  });
  expect([run?.gained, run?.lost]).toEqual([[ref('y')], [ref('x')]]);
  expect(run?.outputs).toEqual([{key: 'n/p', change: 'changed'}]);
  expect(trace?.published.find(({run: by}) => by !== null)).toMatchObject({
    key: 'n/p',
    old: {key: 'n/p', v: []},
    new: {key: 'n/p', v: ['n/s']},
  });
  expect(run?.counts).toEqual({added: 0, changed: 1, deleted: 0, equal: 0});
  expect(run?.start).toBeGreaterThan(0);
  expect(run?.duration).toBeGreaterThan(0);
  expect((trace?.settled ?? 0) > (trace?.received ?? 0)).toBe(true);
});

test('[C4] changes that no run made say what they came from', () => {
  const all = rig();
  const a = newStaticCollection<Thing>(all.engine, [], {name: 'a'});
  const join = joinCollection([a, newStaticCollection<Thing>(all.engine, [])], {name: 'join'});
  newCollection(join, (_, t) => t, {name: 'rows'});
  a.updateObject(thing('k'));
  const trace = all.traces().at(-1);
  expect(trace?.published.map(p => [p.collection, p.run, p.from])).toEqual([
    ['a', null, undefined],
    ['join', null, [0]],
    ['rows', 0, undefined],
  ]);
  expect(trace?.runs[0]?.causes[0]).toMatchObject({kind: 'input', collection: 'join', published: 1});
  a.deleteObject('k');
  expect(all.traces()[0]?.published.map(p => [p.collection, p.event, p.run, p.from])).toEqual([
    ['a', 'delete', null, undefined],
    ['join', 'delete', null, [0]],
    ['rows', 'delete', null, [1]],
  ]);
});

test('[C3] without a clock all times are 0', () => {
  const all = rig();
  const a = newStaticCollection(all.engine, ['x']);
  newCollection(a, (_, t) => t);
  for (const trace of all.traces()) {
    expect(
      [trace.received, trace.settled, ...trace.runs.flatMap(r => [r.start, r.duration])].every(t => t === 0),
    ).toBe(true);
  }
});

test('[C5] listeners come and go, also inside a batch', () => {
  const engine = createEngine({checks: 'off'});
  const a = newStaticCollection<string>(engine, []);
  newCollection(a, (_, t) => t, {name: 'rows'});
  const seen: string[] = [];
  const listen = () => engine.onTrace(trace => void seen.push(trace.runs.map(r => r.input).join()));
  a.updateObject('unheard');
  let off = () => {};
  engine.batch(() => {
    a.updateObject('b');
    off = listen();
  });
  a.updateObject('c');
  off();
  a.updateObject('d');
  expect(seen).toEqual(['b', 'c']);
});

test('[C6] dependencies can be tested part by part against any object', () => {
  const {rows} = workloads();
  const [dependency] = dependenciesOf(rows, 'n/p');
  expect(dependency).toMatchObject({
    collection: 'services',
    filter: 'namespace n and selects non-empty {app=x}',
    matched: 0,
  });
  const verdict = (object: Thing) => dependency?.test(object).map(r => [r.clause.kind, r.matches, r.found]);
  expect(verdict(selecting('n/s', {app: 'x'}))).toEqual([
    ['namespace', true, 'n'],
    ['selects', true, {app: 'x'}],
  ]);
  expect(verdict(selecting('m/s', {app: 'y'}))).toEqual([
    ['namespace', false, 'm'],
    ['selects', false, {app: 'y'}],
  ]);
  expect(verdict(selecting('n/s'))?.[1]).toEqual(['selects', false, {}]);
  expect(dependenciesOf(rows, 'nobody')).toEqual([]);
});

test('[C6] inputs and outputs of each other, and a probe that sees every object and leaves nothing', () => {
  const {engine, services, rows, traces} = workloads();
  services.updateObject(selecting('n/s', {app: 'x'}));
  traces();
  const reads: string[] = [];
  const wrap = (item: unknown, read: ProbedRead) => {
    reads.push(`${read.fetch} ${read.collection} ${read.key}`);
    return item;
  };
  expect(probe(rows, 'n/p', wrap)).toEqual({discarded: false, value: {key: 'n/p', v: ['n/s']}});
  expect([reads, traces()]).toEqual([['-1 pods n/p', '0 services n/s'], []]);
  expect([outputsOf(rows, 'n/p'), inputsOf(rows, 'n/p'), inputsOf(services, 'n/s')]).toEqual([
    ['n/p'],
    ['n/p'],
    [],
  ]);
  expect(inputs(rows)).toEqual([{input: 'n/p', outcome: 'changed', stale: false, outputs: ['n/p']}]);
  expect(engine.collections().find(c => c.name === 'workloads')).toMatchObject({
    kind: 'derived',
    runs: 2,
    inputs: [
      {collection: 'pods', kind: 'input'},
      {
        collection: 'services',
        kind: 'fetch',
        filters: ['namespace n and selects non-empty {app=x}'],
        fetches: 1,
      },
    ],
  });
});

test('[C6] inputs of a group are the items of its bucket; all claimants of a row are its inputs', () => {
  const engine = createEngine();
  const things = newStaticCollection(engine, [thing('a', 1), thing('b', 1)]);
  const groups = newIndex(things, 'v', t => [String(t.v)]).asCollection();
  const clash = newManyCollection(things, () => ['k']);
  expect([inputsOf(groups, '1').sort(), inputsOf(clash, 'k')]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

test('[C1] a cause names the place of the fetch among several, and the version that matched', () => {
  const all = rig();
  const source = newStaticCollection<Thing>(all.engine, [thing('s', 0, {app: 'x'})], {name: 'source'});
  const input = newStaticCollection(all.engine, ['i']);
  newCollection(input, (ctx, i) => {
    fetch(ctx, source, filterKey('other'));
    fetch(ctx, source, filterLabel({app: 'x'}));
    return i;
  });
  all.traces();
  source.updateObject(thing('s', 1, {app: 'x'}));
  source.updateObject(thing('s', 1, {app: 'y'}));
  expect(all.traces().map(t => t.runs[0]?.causes.map(c => [c.fetch, c.matched]))).toEqual([
    [[1, 'both']],
    [[1, 'old']],
  ]);
});

test('[C5] a listener that throws, now or later, harms no batch and is a violation', async () => {
  const engine = createEngine({checks: 'off'});
  const a = newStaticCollection<string>(engine, []);
  const rows = newCollection(a, (_, t) => t);
  engine.onTrace(() => {
    throw new Error('listener');
  });
  engine.onTrace(async () => {
    throw new Error('later');
  });
  engine.onViolation(() => {
    throw new Error('of violations');
  });
  const heard: string[] = [];
  rows.register(change => void heard.push(change.key));
  a.updateObject('x');
  a.updateObject('y');
  expect(heard).toEqual(['x', 'y']);
  const messages = () => engine.violations().map(({code, message}) => `${code} ${message}`);
  expect(messages()).toEqual([
    expect.stringContaining('listener-failed a listener of traces threw: listener'),
    expect.stringContaining('listener-failed a listener of violations threw: of violations'),
  ]);
  await Promise.resolve();
  await Promise.resolve();
  expect(messages()[0]).toContain('later');
});

test('[C4] so do those of a view that begins in the batch in which its parts came', () => {
  const all = rig();
  const latch = newSyncLatch(all.engine);
  const list = newStaticCollection<Thing>(all.engine, [thing('k')], {name: 'list', synced: latch});
  const rows = newCollection(list, (_, t) => t, {name: 'rows'});
  joinCollection([rows, newStaticCollection<Thing>(all.engine, [])], {name: 'join'});
  joinWithMergeCollection([rows, newStaticCollection<Thing>(all.engine, [])], ([one]) => one, {
    name: 'merged',
  });
  mapCollection(rows, t => ({...t}), {name: 'mapped'});
  all.traces();
  latch.markSynced();
  const published = all.traces().at(-1)?.published ?? [];
  const at = published.findIndex(p => p.collection === 'rows');
  const from = Object.fromEntries(published.map(p => [p.collection, p.from]));
  expect(from).toMatchObject({join: [at], merged: [at], mapped: [at]});
});

/** A collection whose one input yields these rows, and its runs. */
function listing(keys: string[]) {
  const all = rig();
  const source = newStaticCollection<{keys: string[]; v: number}>(all.engine, [], {
    name: 'source',
    key: () => 'i',
  });
  const rows = newManyCollection(source, (_, {keys: own, v}) => own.map((key, i) => ({key, v: v * i})), {
    name: 'rows',
    ...byKey,
  });
  const write = (own: string[], v: number) => source.updateObject({keys: own, v});
  write(keys, 0);
  return {...all, rows, write};
}

test('[C2] runs that yield the same rows again say so each for itself', () => {
  const keys = Array.from({length: 20}, (_, i) => `k${i}`);
  const {engine, write} = listing(keys);
  const runs: Run[] = [];
  engine.onTrace(trace => runs.push(...trace.runs));
  write([...keys], 0);
  write([...keys], 0);
  write([...keys], 1);
  write([...keys].reverse(), 1);
  const [first, second, third, fourth] = runs;
  expect(first).toMatchObject({outcome: 'equal', counts: {equal: 20}});
  expect(first?.outputs).toEqual(keys.map(key => ({key, change: 'equal'})));
  expect(second?.outputs).toEqual(first?.outputs);
  expect(second?.outputs).not.toBe(first?.outputs);
  expect(third).toMatchObject({outcome: 'changed', counts: {equal: 1, changed: 19}});
  expect(fourth).toMatchObject({outcome: 'changed', counts: {equal: 0, changed: 20}});
});

test('[C2] a result that leaves the order of the last one keeps every row, and sees a key that comes twice', () => {
  const keys = Array.from({length: 20}, (_, i) => `k${i}`);
  const {engine, rows, write} = listing(keys);
  write([...keys.slice(0, 18), 'k3', 'new'], 1);
  expect(engine.violations().map(({code, keys: held}) => [code, held])).toEqual([
    ['duplicate-in-result', ['k3', 'i']],
  ]);
  expect(rows.list().map(({key, v}) => `${key} ${v}`)).toEqual([
    ...keys.slice(0, 18).map((key, i) => `${key} ${i === 3 ? 18 : i}`),
    'new 19',
  ]);
  write(keys.slice(0, 17), 1);
  expect([rows.list().length, engine.violations()]).toEqual([17, []]);
});

test('[C2] the keys that a fetch tells are the first of what it got, however the list has moved', () => {
  const {engine} = rig();
  const items = newStaticCollection<Row>(engine, [], {name: 'items', ...byKey});
  for (let i = 0; i < 104; i++) items.updateObject({key: `k${i}`, v: 0});
  const got: string[][] = [];
  newCollection(
    newStaticCollection<Row>(engine, [{key: 'i', v: 0}], byKey),
    ctx => {
      const found = fetch(ctx, items);
      got.push(found.map(({key}) => key));
      return {key: 'i', v: found.length};
    },
    byKey,
  );
  const told: FetchRecord[] = [];
  engine.onTrace(({runs}) => told.push(...runs.flatMap(run => run.fetches)));
  got.length = 0;
  items.updateObject({key: 'k3', v: 1});
  for (const key of ['k3', 'k103', 'k0', 'k101', 'k50', 'k99', 'k1', 'k2']) items.deleteObject(key);
  for (let i = 200; i < 208; i++) items.updateObject({key: `k${i}`, v: 0});
  engine.batch(() => {
    items.deleteObject('k7');
    items.updateObject({key: 'new', v: 0});
  });
  expect(told.map(({keys, matched}) => [keys, matched])).toEqual(
    got.map(keys => [keys.slice(0, 100), keys.length]),
  );
  expect(told.length).toBe(18);
});

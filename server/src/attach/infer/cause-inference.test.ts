// The rules of inference, on the recorded cases of a real istiod and on small graphs where two causes are possible.
import {describe, expect, test} from 'vitest';
import {KrtzReader} from '../krtz-document.ts';
import {LogStream} from '../log/log-stream.ts';
import {
  isUpstreamInDocument,
  kindOfInformer,
  mergeCases,
  type RecordedCase,
  recordedCases,
  rowsToExplain,
} from '../testing-cases.ts';
import type {WrittenCollection} from '../testing-documents.ts';
import {CauseInference} from './cause-inference.ts';
import {documentChanges} from './document-change.ts';
import {InferenceMemory} from './inference-memory.ts';
import type {InferredRun} from './inferred-run.ts';
import {KrtzStructure, type RowRef} from './krtz-structure.ts';

type Written = RecordedCase['before'];

function infer(before: Written, after: Written, log: string) {
  const reader = new KrtzReader();
  const read = (document: Written) =>
    Array.isArray(document) ? new KrtzStructure(reader.read(JSON.stringify(document))) : undefined;
  const [old, fresh] = [read(before), read(after)];
  const documents = [fresh, old].filter(one => one !== undefined);
  const stream = new LogStream({fetchCount: (...input) => documents[0]?.fetchesOf(...input).length});
  stream.writeText(log);
  stream.endFile();
  const changes = old && fresh ? documentChanges(old, fresh) : [];
  const inference = new CauseInference(new InferenceMemory(), documents, changes);
  return {inference, runs: inference.infer(stream.take()), changes};
}

/** Follows the causes of a row up to an informer; undefined where there is not exactly one. */
function informerOf({inference}: ReturnType<typeof infer>, row: RowRef): RowRef | undefined {
  let ref: RowRef | undefined = row;
  for (let hops = 0; ref !== undefined && hops < 20; hops++) {
    if (/(^|\/)informer\//.test(ref.collection)) return ref;
    const above: RowRef[] = inference.above(ref, Number.POSITIVE_INFINITY);
    ref = above.length === 1 ? above[0] : undefined;
  }
  return undefined;
}

describe.runIf(recordedCases.length > 0)('recorded cases', () => {
  test.each(recordedCases)('$case: $what', one => {
    const inferred = infer(one.before, one.after, one.log);
    const rows = rowsToExplain(one);
    expect(inferred.runs.filter(({outputs}) => outputs.length > 0).length > 0 || rows.length === 0).toBe(
      true,
    );
    for (const row of rows) {
      const write = informerOf(inferred, row);
      expect(write, `${row.collection} ${row.key}`).toBeDefined();
      expect(one.expected).toContainEqual({kind: kindOfInformer(write?.collection ?? ''), key: write?.key});
    }
  });

  test.each([2, 3, 4])('%i consecutive changes in one interval give no wrong name', by => {
    let named = 0;
    let open = 0;
    for (const one of mergeCases(recordedCases, by)) {
      const inferred = infer(one.before, one.after, one.log);
      for (const {expected, ...row} of one.rows) {
        const write = informerOf(inferred, row);
        const text = `${one.what}: ${row.collection} ${row.key}`;
        if (write === undefined) {
          open += 1;
          continue;
        }
        named += 1;
        expect(expected, text).toContainEqual({kind: kindOfInformer(write.collection), key: write.key});
        expect(isUpstreamInDocument(one, row.collection, write.collection), text).toBe(true);
      }
    }
    expect(named / (named + open)).toBeGreaterThan(0.5);
  });

  test('a namespace label makes three workloads run twice, and none of them changes', () => {
    const [label] = recordedCases;
    if (label === undefined) return;
    const {runs} = infer(label.before, label.after, label.log);
    const wasted = runs.filter(({collection}) => collection === 'ambient/PodWorkloads');
    expect(wasted).toHaveLength(6);
    expect(wasted.flatMap(({outputs}) => outputs)).toEqual([]);
  });
});

describe('two possible causes', () => {
  const document = (pods: Record<string, string>, policies: Record<string, string>): WrittenCollection[] => [
    {name: 'informer/Pods', uid: 1, state: {outputs: pods, synced: true}},
    {name: 'informer/Policies', uid: 2, state: {outputs: policies, synced: true}},
    {
      name: 'Workloads',
      uid: 3,
      state: {
        inputCollection: 'informer/Pods',
        inputs: {a: {dependencies: ['informer/Policies'], outputs: ['w/a']}},
        outputs: {'w/a': `${pods.a} ${Object.values(policies)}`},
        synced: true,
      },
    },
  ];
  const log = (filter: string) =>
    [
      'event size 1, impacts [a] objects\towner=Workloads',
      `Fetch\tparent=Workloads{a} fetch=informer/Policies filter={${filter}} size=2`,
      'handled\towner=Workloads res=w/a type=update',
      'calling handlers\towner=Workloads events=1',
    ]
      .map((message, at) => `2026-11-17T18:01:06.39595${at}Z\tdebug\tkrt\t${message}\n`)
      .join('');
  const causes = (runs: InferredRun[]) =>
    runs.flatMap(run => run.causes.map(({kind, collection, key}) => `${kind} ${collection} ${key}`));

  test('both rows are candidates, and none is named', () => {
    const {runs} = infer(document({a: '1'}, {p: '1', q: '1'}), document({a: '1'}, {p: '2', q: '2'}), log(''));
    expect(causes(runs)).toEqual(['fetch informer/Policies p', 'fetch informer/Policies q']);
  });

  test('a filter by keys leaves one of them', () => {
    const {runs} = infer(
      document({a: '1'}, {p: '1', q: '1'}),
      document({a: '1'}, {p: '2', q: '2'}),
      log('keys=[q]'),
    );
    expect(causes(runs)).toEqual(['fetch informer/Policies q']);
  });

  test('without a changed row there is no cause', () => {
    const {runs} = infer(document({a: '1'}, {p: '1'}), document({a: '1'}, {p: '1'}), log(''));
    expect(runs.map(run => run.causes)).toEqual([[]]);
  });

  test('without an event the primary input changed', () => {
    const lines = log('').split('\n').slice(1).join('\n');
    const {runs} = infer(document({a: '1'}, {p: '1'}), document({a: '2'}, {p: '2'}), lines);
    expect(causes(runs)).toEqual(['input informer/Pods a']);
  });

  test('where the log begins after the event line, an unchanged input is not named', () => {
    const lines = log('').split('\n').slice(1).join('\n');
    const {runs} = infer(document({a: '1'}, {p: '1'}), document({a: '1'}, {p: '2'}), lines);
    expect(runs.map(run => run.causes)).toEqual([[]]);
  });

  test('while the document fails the cluster names the row that changed at that time', () => {
    const before = new KrtzStructure(new KrtzReader().read(JSON.stringify(document({a: '1'}, {p: '1'}))));
    const causesWith = (keys: string[], filter: string) => {
      const stream = new LogStream();
      stream.writeText(log(filter));
      const keysChangedAt = (collection: string, time: number) =>
        collection === 'informer/Policies' && time === Date.parse('2026-11-17T18:01:06.395Z') + 0.95
          ? keys
          : [];
      return causes(
        new CauseInference(new InferenceMemory(), [before], [], {keysChangedAt}).infer(stream.take()),
      );
    };
    expect(causesWith(['p'], '')).toEqual(['fetch informer/Policies p']);
    expect(causesWith(['p', 'q'], 'keys=[q]')).toEqual(['fetch informer/Policies q']);
    expect(causesWith(['p', 'q'], '')).toHaveLength(2);
    expect(causesWith([], '')).toEqual([]);
  });

  test('a line that arrives late finds the row that an earlier document showed', () => {
    const structures = [document({a: '1'}, {p: '1'}), document({a: '1'}, {p: '2'})].map(
      written => new KrtzStructure(new KrtzReader().read(JSON.stringify(written))),
    ) as [KrtzStructure, KrtzStructure];
    const lateRuns = (shift: number) => {
      const time = Date.parse('2026-11-17T18:01:06.395Z') + shift;
      const memory = new InferenceMemory();
      memory.keepChanges(documentChanges(...structures), time - 500, time + 500);
      const stream = new LogStream();
      stream.writeText(log(''));
      return new CauseInference(memory, structures.slice(1), []).infer(stream.take());
    };
    expect(causes(lateRuns(0))).toEqual(['fetch informer/Policies p']);
    expect(causes(lateRuns(20_000))).toEqual([]);
  });
});

describe('collections that the document leaves out', () => {
  const collection = (name: string, uid: number, state: Partial<WrittenCollection['state']>) => ({
    name,
    uid,
    state: {synced: true, ...state},
  });
  const document = (vm: string): WrittenCollection[] => [
    collection('informer/Machines', 1, {outputs: {'shop/vm': vm}}),
    collection('informer/Hosts', 2, {outputs: {'shop/host': '1'}}),
    collection('own/Machines', 3, {
      inputCollection: 'informer/Machines',
      inputs: {'shop/vm': {outputs: ['shop/vm']}},
      outputs: {'shop/vm': vm},
    }),
    collection('own/Services', 4, {
      inputCollection: 'informer/Hosts',
      inputs: {'shop/host': {dependencies: ['own/AllMachines'], outputs: ['shop/service']}},
      outputs: {'shop/service': vm},
    }),
    collection('index/own/ServicesByHost', 5, {
      inputCollection: 'own/Merged',
      outputs: {'shop/service.example.com': [vm]},
    }),
    collection('other/Services', 6, {
      inputCollection: 'informer/Hosts',
      inputs: {'shop/host': {outputs: ['shop/service']}},
      outputs: {'shop/service': '1'},
    }),
  ];
  const lines = (...messages: string[]) =>
    messages.map((message, at) => `2026-11-17T18:01:06.39595${at}Z\tdebug\tkrt\t${message}\n`).join('');
  const log = lines(
    'handled\towner=other/Services res=shop/service type=update',
    'handled\towner=own/Machines res=shop/vm type=update',
    'calling handlers\towner=own/Machines events=1',
    'event size 1, impacts [shop/host] objects\towner=own/Services',
    'Fetch\tparent=own/Services{shop/host} fetch=own/AllMachines filter={labels=map[app:vm]} size=1',
    'handled\towner=own/Services res=shop/service type=update',
    'calling handlers\towner=own/Services events=1',
    'calling handlers\towner=other/Services events=1',
  );
  const inferred = () => infer(document('1'), document('2'), log);

  test('a row that came through a join goes back to a published row of the same family', () => {
    expect(informerOf(inferred(), {collection: 'own/Services', key: 'shop/service'})).toMatchObject({
      collection: 'informer/Machines',
      key: 'shop/vm',
    });
  });

  test('an index over one goes back to the published row with most of its key', () => {
    const index = {collection: 'index/own/ServicesByHost', key: 'shop/service.example.com'};
    const {inference} = inferred();
    expect(inference.above(index, Number.POSITIVE_INFINITY)).toEqual([
      {collection: 'own/Services', key: 'shop/service'},
    ]);
  });

  test('two published rows leave it open', () => {
    const both = lines(
      'handled\towner=own/Machines res=shop/vm type=update',
      'calling handlers\towner=own/Machines events=1',
      'handled\towner=own/Others res=shop/other type=update',
      'calling handlers\towner=own/Others events=1',
      'event size 1, impacts [shop/host] objects\towner=own/Services',
      'Fetch\tparent=own/Services{shop/host} fetch=own/AllMachines filter={labels=map[app:vm]} size=1',
      'handled\towner=own/Services res=shop/service type=update',
      'calling handlers\towner=own/Services events=1',
    );
    const {runs} = infer(document('1'), document('2'), both);
    const run = runs.find(({collection}) => collection === 'own/Services');
    expect(run?.causes).toHaveLength(2);
  });
});

describe('a row that changed twice in one interval', () => {
  const document = (entries: Record<string, string>, rows: Record<string, string>): WrittenCollection[] => [
    {name: 'informer/Hosts', uid: 1, state: {outputs: {host: '1'}, synced: true}},
    {name: 'informer/Entries', uid: 2, state: {outputs: entries, synced: true}},
    {
      name: 'Entries',
      uid: 5,
      state: {
        inputCollection: 'informer/Entries',
        inputs: Object.fromEntries(Object.keys(entries).map(key => [key, {outputs: [key]}])),
        outputs: entries,
        synced: true,
      },
    },
    {
      name: 'Services',
      uid: 3,
      state: {
        inputCollection: 'informer/Hosts',
        inputs: {host: {dependencies: ['Entries'], outputs: ['host']}},
        outputs: {host: Object.values(entries).join()},
        synced: true,
      },
    },
    {
      name: 'Instances',
      uid: 4,
      state: {
        inputCollection: 'Services',
        inputs: {host: {outputs: Object.keys(rows)}},
        outputs: rows,
        synced: true,
      },
    },
  ];
  const change = (entry: string, row: string) => [
    `handled\towner=Entries res=${entry} type=add`,
    'calling handlers\towner=Entries events=1',
    'event size 1, impacts [host] objects\towner=Services',
    'Fetch\tparent=Services{host} fetch=Entries filter={} size=1',
    'handled\towner=Services res=host type=update',
    'calling handlers\towner=Services events=1',
    `handled\towner=Instances res=${row} type=add`,
    'calling handlers\towner=Instances events=1',
  ];
  const logOf = (...messages: string[]) =>
    messages.map(message => `2026-11-17T18:01:06.395950Z\tdebug\tkrt\t${message}\n`).join('');

  test('leaves open which change made the first of two rows, and names the change of the second', () => {
    const inferred = infer(
      document({}, {}),
      document({a: '1', b: '1'}, {'host/a': '1', 'host/b': '1'}),
      logOf(...change('a', 'host/a'), ...change('b', 'host/b')),
    );
    expect(informerOf(inferred, {collection: 'Instances', key: 'host/b'})).toMatchObject({key: 'b'});
    expect(
      inferred.inference.above({collection: 'Instances', key: 'host/a'}, Number.POSITIVE_INFINITY),
    ).toEqual([
      expect.objectContaining({collection: 'informer/Entries', key: 'a'}),
      expect.objectContaining({collection: 'informer/Entries', key: 'b'}),
    ]);
  });

  test('one change alone is named', () => {
    const inferred = infer(
      document({}, {}),
      document({a: '1'}, {'host/a': '1'}),
      logOf(...change('a', 'host/a')),
    );
    expect(informerOf(inferred, {collection: 'Instances', key: 'host/a'})).toMatchObject({key: 'a'});
  });
});

test('a delete of an unknown row does not go to a run of another input that changed nothing', () => {
  const written: WrittenCollection[] = [
    {name: 'informer/Services', uid: 1, state: {outputs: {'shop/cart': '1'}, synced: true}},
    {
      name: 'Infos',
      uid: 2,
      state: {
        inputCollection: 'informer/Services',
        inputs: {'shop/cart': {dependencies: ['Zones'], outputs: ['Service/shop/cart']}},
        outputs: {'Service/shop/cart': '1'},
        synced: true,
      },
    },
  ];
  const changed = structuredClone(written);
  (changed[0] as WrittenCollection).state.outputs = {'shop/cart': '2'};
  const {runs} = infer(
    written,
    changed,
    [
      'Fetch\tparent=Infos{shop/cart} fetch=Zones filter={} size=1',
      'handled delete\towner=Infos res=Service/shop/extra',
      'calling handlers\towner=Infos events=1',
    ]
      .map(message => `2026-11-17T18:01:06.395950Z\tdebug\tkrt\t${message}\n`)
      .join(''),
  );
  expect(runs.map(({input, outputs, causes}) => [input, outputs.length, causes.length])).toEqual([
    ['shop/cart', 0, 1],
    ['Service/shop/extra', 1, 0],
  ]);
});

test('before a document shows the input, an output goes back to the published row that fits its key', () => {
  const written: WrittenCollection[] = [
    {name: 'informer/Hosts', uid: 1, state: {synced: true}},
    {name: 'Hosts', uid: 2, state: {inputCollection: 'informer/Hosts', synced: true}},
    {name: 'Rules', uid: 3, state: {inputCollection: 'Hosts', synced: true}},
  ];
  const runsOf = (...messages: string[]) => {
    const stream = new LogStream();
    stream.writeText(
      messages.map(message => `2026-11-17T18:01:06.395950Z\tdebug\tkrt\t${message}\n`).join(''),
    );
    const before = new KrtzStructure(new KrtzReader().read(JSON.stringify(written)));
    return new CauseInference(new InferenceMemory(), [before], []).infer(stream.take());
  };
  const rule = 'handled\towner=Rules res=shop/cart/0 type=add';
  const publish = (key: string) => [
    `Fetch\tparent=Hosts{${key}} fetch=Zones filter={} size=1`,
    `handled\towner=Hosts res=${key} type=add`,
    'calling handlers\towner=Hosts events=1',
  ];
  expect(runsOf(...publish('shop/cart'), rule).at(-1)?.causes).toEqual([
    {kind: 'input', collection: 'Hosts', key: 'shop/cart'},
  ]);
  expect(runsOf(...publish('bank/pay'), rule).at(-1)?.causes).toEqual([]);
  expect(runsOf(rule).at(-1)?.causes).toEqual([]);
});

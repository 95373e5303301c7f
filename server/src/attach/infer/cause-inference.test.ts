// The rules of inference, on the recorded cases of a real istiod and on small graphs where two causes are possible.
import {describe, expect, test} from 'vitest';
import {KrtzReader} from '../krtz-document.ts';
import {LogStream} from '../log/log-stream.ts';
import {kindOfInformer, type RecordedCase, recordedCases, rowsToExplain} from '../testing-cases.ts';
import type {WrittenCollection} from '../testing-documents.ts';
import {CauseInference, InferenceMemory, type InferredRun} from './cause-inference.ts';
import {documentChanges} from './document-change.ts';
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
});

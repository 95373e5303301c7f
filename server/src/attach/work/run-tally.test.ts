import {describe, expect, test} from 'vitest';
import {CauseInference} from '../infer/cause-inference.ts';
import {documentChanges} from '../infer/document-change.ts';
import {InferenceMemory} from '../infer/inference-memory.ts';
import type {InferredRun} from '../infer/inferred-run.ts';
import {KrtzStructure} from '../infer/krtz-structure.ts';
import {KrtzReader} from '../krtz-document.ts';
import {LogStream} from '../log/log-stream.ts';
import {recordedCases} from '../testing-cases.ts';
import {RunTally} from './run-tally.ts';

const run = (input: string, outputs: InferredRun['outputs'], filter = ''): InferredRun => ({
  collection: 'Workloads',
  input,
  outputs,
  fetches: [{collection: 'Policies', filter, matched: 0}],
  causes: [],
  isRemoval: false,
  first: 0,
  line: 1,
  start: 1000,
  duration: 1,
});
const changed: InferredRun['outputs'] = [{key: 'w', change: 'changed'}];
const namespace = {collection: 'informer/Namespaces', key: 'shop'};

function countsOf(runs: readonly InferredRun[], cause: typeof namespace | undefined = namespace, size = 10) {
  const counts = new RunTally();
  counts.add({runs, originOf: () => cause, sizeOf: () => size});
  return counts.collections[0];
}

describe('runs', () => {
  test('without a changed row are equal, and a second run of an input for one change is repeated', () => {
    expect(countsOf([run('a', changed), run('a', []), run('b', [])])).toMatchObject({
      runs: 3,
      equal: 2,
      share: 2 / 3,
      repeated: 1,
      last: {time: 1000, runs: 3, equal: 2, repeated: 1, inputs: 2, cause: namespace},
    });
  });

  test('of one input after unknown changes are not repeated', () => {
    const counts = new RunTally();
    const runs = [
      {...run('a', []), line: 1},
      {...run('a', []), line: 2},
    ];
    counts.add({runs, originOf: () => undefined, sizeOf: () => 0});
    expect(counts.collections[0]).toMatchObject({runs: 2, repeated: 0});
  });

  test('that removed an input are no runs', () => {
    expect(countsOf([{...run('a', []), isRemoval: true}])).toBeUndefined();
  });
});

describe('fetches', () => {
  test('by labels or functions over a large collection compare every row', () => {
    const scans = (filter: string, size: number) => countsOf([run('a', [], filter)], namespace, size)?.scans;
    expect(scans('selectsNonEmpty=map[app:cart],generic', 60)).toEqual([
      {collection: 'Policies', filter: 'selectsNonEmpty, generic', fetches: 1, rows: 60},
    ]);
    expect(scans('generic', 49)).toEqual([]);
    expect(scans('keys=[shop],generic', 60)).toEqual([]);
    // The log writes the same for no filter and for an index.
    expect(scans('', 60)).toEqual([]);
  });
});

test.runIf(recordedCases.length > 0)(
  'a namespace label led to six equal runs of ambient/PodWorkloads',
  () => {
    const [label] = recordedCases;
    if (label === undefined) return;
    const documents = [label.after, label.before].map(
      one => new KrtzStructure(new KrtzReader().read(JSON.stringify(one))),
    ) as [KrtzStructure, KrtzStructure];
    const stream = new LogStream({fetchCount: (...input) => documents[0].fetchesOf(...input).length});
    stream.writeText(label.log);
    stream.endFile();
    const changes = documentChanges(documents[1], documents[0]);
    const inference = new CauseInference(new InferenceMemory(), documents, changes);
    const counts = new RunTally();
    counts.add({
      runs: inference.infer(stream.take()),
      originOf: one => inference.originOf(one),
      sizeOf: name => documents[0].rows(name).size,
    });
    const workloads = counts.collections.find(({name}) => name === 'ambient/PodWorkloads');
    expect(workloads).toMatchObject({runs: 6, equal: 6, repeated: 3, last: {inputs: 3}});
  },
);

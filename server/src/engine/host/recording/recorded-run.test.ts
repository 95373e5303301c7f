import {runSchema} from '@krtscope/shared/run.ts';
import {expect, test} from 'vitest';
import {toWireRun} from '../../../explain/wire-run.ts';
import {decodeBlock} from '../../../history/encoding/block-decoder.ts';
import {Recording} from '../../../history/recording.ts';
import {encodeBatch} from '../../../history/recording-rebuild.ts';
import {lineage} from '../../../history/testing-recorded-graph.ts';
import type {BatchTrace, Run} from '../../../krt/index.ts';
import {createTestGraphHost, namespace, pod, service} from '../query/testing-graph-host.ts';
import {runMarkOf, toRecordedRun} from './recorded-run.ts';

const run: Run = {
  collection: 'Workloads',
  uid: 1,
  input: 'ns/a',
  outcome: 'equal',
  causes: [],
  fetches: [],
  gained: [],
  lost: [],
  // Half a millisecond after rounding to microseconds, a little less before.
  start: 0.4999996,
  duration: 0,
  outputs: [],
  counts: {added: 0, changed: 0, deleted: 0, equal: 0},
};
const trace: BatchTrace = {
  sequence: 1,
  received: 1000,
  settled: 2000,
  changes: [],
  runs: [run],
  published: [],
  synced: [],
};

function recorded(told: BatchTrace) {
  return new Recording({runs: Infinity, bytes: Infinity}, lineage).record(told);
}

test('a run is told of with the same moment at once and from its block', () => {
  const live = recorded(trace);
  const kept = recorded(decodeBlock(encodeBatch(live), new Map(), () => 1).trace);
  const [now, later] = [live.runNodes[0]!, kept.runNodes[0]!];
  expect(later.run.start).not.toBe(now.run.start);
  expect(runMarkOf(later)).toEqual(runMarkOf(now));
  expect(toRecordedRun(later).at).toBe(toRecordedRun(now).at);
});

test('a run on the wire has only fields that the wire knows', () => {
  const r = createTestGraphHost();
  r.write({Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  r.sync();
  r.write({Pods: [pod('web-1', {app: 'wbe'})]});
  const nodes = [];
  for (let at = r.records.oldest(); at <= r.records.newest(); at++)
    for (const node of r.history.recording.batch(at)?.runNodes ?? [])
      if (node !== undefined) nodes.push(node);
  expect(nodes.some(({run: {fetches, causes}}) => fetches.length > 0 && causes.length > 0)).toBe(true);
  for (const node of nodes) {
    const told = toWireRun(toRecordedRun(node));
    expect(runSchema.strict().parse(told)).toEqual(told);
    for (const one of [...told.fetches, ...told.causes]) {
      expect(one).not.toHaveProperty('clauses');
      expect(one).not.toHaveProperty('published');
    }
  }
});

import {expect, test} from 'vitest';
import {decodeBlock} from '../../history/decode.ts';
import {encodeBatch} from '../../history/rebuild.ts';
import {Recording} from '../../history/recording.ts';
import {lineage} from '../../history/testing-scribe.ts';
import type {BatchTrace, Run} from '../../krt/index.ts';
import {markOf, runToWire} from './wire.ts';

const run: Run = {
  collection: 'Workloads',
  uid: 1,
  input: 'ns/a',
  outcome: 'equal',
  causes: [],
  fetches: [],
  gained: [],
  lost: [],
  // Half a millisecond once it is rounded to microseconds, a little less before.
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
  expect(markOf(later)).toEqual(markOf(now));
  expect(runToWire(later).at).toBe(runToWire(now).at);
});

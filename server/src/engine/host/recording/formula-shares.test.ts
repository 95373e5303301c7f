// A formula with large rows that change in every batch takes its share of the recording and no more.
import {expect, test} from 'vitest';
import {runToEnd} from '../../../history/incremental-work.ts';
import {PastStates} from '../../../history/past-states.ts';
import {type CollectionLineage, Recording} from '../../../history/recording.ts';
import {type EncodedBatch, encodeBatch, rebuildRecording} from '../../../history/recording-rebuild.ts';
import {createEngine, newCollection, newStaticCollection} from '../../../krt/index.ts';
import {FormulaShares} from './formula-shares.ts';

const lineage: CollectionLineage = {
  childrenOf: name => (name === 'Pods' ? ['Big', 'Small'] : []),
  isJoin: () => false,
  ended: () => [],
};
const KB = 1024;
const limits = {runs: Infinity, bytes: 4096 * KB};
const PODS = 3;

interface VersionedPod {
  key: string;
  version: number;
}

/** Every batch changes the large rows of all Pods. */
function record(batches: number, hasShares: boolean) {
  const recording = new Recording(limits, lineage);
  const shares = new FormulaShares(name => hasShares && name === 'Big');
  const blocks = new Map<number, EncodedBatch>();
  const engine = createEngine({checks: 'off'});
  engine.onTrace(trace => {
    const batch = recording.record(trace);
    const roots = batch.rootPlaces;
    const bytes = encodeBatch(batch, {trace: shares.limit(trace, batch, recording), roots: [...roots]});
    shares.count(trace, bytes.byteLength);
    blocks.set(trace.sequence, {sequence: trace.sequence, bytes});
    recording.setEncodedSize(batch, bytes.byteLength);
    for (const sequence of recording.takeDropped()) blocks.delete(sequence);
  });
  const key = (row: {key: string}) => row.key;
  const pods = newStaticCollection<VersionedPod>(engine, [], {name: 'Pods', key});
  const big = newCollection(pods, (_, pod) => ({...pod, text: `${pod.version} `.repeat(16 * KB)}), {
    name: 'Big',
    key,
  });
  newCollection(pods, (_, pod) => ({...pod, half: pod.version / 2}), {name: 'Small', key});
  for (let version = 1; version <= batches; version++) {
    engine.batch(() => {
      for (let at = 0; at < PODS; at++) {
        // Sometimes a Pod goes and comes again.
        if ((version + at) % 17 === 0) pods.deleteObject(`pod-${at}`);
        else pods.updateObject({key: `pod-${at}`, version});
      }
    });
  }
  const past = new PastStates(recording);
  const read = () =>
    runToEnd(
      rebuildRecording({
        state: runToEnd(past.state()),
        blocks: [...blocks.values()],
        oldest: recording.oldest,
        newest: recording.newest,
        limits: {runs: Infinity, bytes: Infinity},
        lineage,
        parentsOf: name => (name === 'Pods' ? [] : ['Pods']),
        uidOf: () => 0,
        similarRun: (collection, input) => past.run(collection, input)?.run,
      }),
    );
  return {recording, past, big, read};
}

test('the history of all other collections stays, and the newest rows of the formula', () => {
  const batches = 400;
  expect([...record(batches, false).recording.batches()].length).toBeLessThan(80);
  const {recording, past, big} = record(batches, true);
  expect([...recording.batches()].length).toBeGreaterThanOrEqual(batches);
  expect(recording.kept.bytes).toBeLessThan(limits.bytes / 2);
  for (const row of big.list()) expect(past.value('Big', row.key)).toEqual(row);
  const first = recording.newest - 300;
  for (let at = 0; at < PODS; at++) {
    const pod = past.value('Pods', `pod-${at}`, first) as VersionedPod | undefined;
    const small = past.value('Small', `pod-${at}`, first) as {half: number} | undefined;
    expect(small?.half).toBe(pod && pod.version / 2);
    const row = past.value('Big', `pod-${at}`, first);
    if (pod !== undefined) expect(row).toMatch(/^\(not recorded: Big has used its share of the recording/);
  }
});

test('a recording that is read back shows at each moment what it showed before', () => {
  const {recording, past, read} = record(120, true);
  const again = new PastStates(read());
  let recorded = 0;
  for (const {sequence} of recording.batches())
    for (const name of ['Pods', 'Big', 'Small'])
      for (let at = 0; at < PODS; at++) {
        const value = past.value(name, `pod-${at}`, sequence);
        if (name === 'Big' && typeof value === 'object') recorded += 1;
        expect(again.value(name, `pod-${at}`, sequence)).toEqual(value);
      }
  expect(recorded).toBeGreaterThan(PODS);
});

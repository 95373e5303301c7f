import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {LOST_VALUE} from './encoding/block-decoder.ts';
import {runToEnd} from './incremental-work.ts';
import {PastStates} from './past-states.ts';
import {Recording} from './recording.ts';
import {appendRecording, type RebuildOptions, rebuildRecording} from './recording-rebuild.ts';
import {lineage, parents, pod, RecordedTestGraph, service, stateOf} from './testing-recorded-graph.ts';

type Step = {what: number; name: number; value: number; app: string; ports: number[]};

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.integer({min: 0, max: 7}),
  name: fc.integer({min: 0, max: 4}),
  value: fc.constantFrom(1, 2, 7, 13),
  app: fc.constantFrom('a', 'b'),
  ports: fc.uniqueArray(fc.integer({min: 1, max: 3}), {maxLength: 3}),
});

function play(scribe: RecordedTestGraph, {what, name, value, app, ports}: Step): void {
  scribe.write(() => {
    if (what <= 3) scribe.pods.updateObject(pod(`p${name}`, value, app, ports));
    else if (what === 4) scribe.pods.deleteObject(`ns/p${name}`);
    else if (what === 5) scribe.services.updateObject(service(`p${name}`, app));
    else if (what === 6) scribe.services.deleteObject(`ns/p${name}`);
    else if (value > 5) scribe.extra.deleteObject(`p${name}:1`);
    else scribe.extra.updateObject({key: `p${name}:1`, extra: value});
  });
}

function readBack(scribe: RecordedTestGraph, options: Partial<RebuildOptions> = {}): Recording {
  const steps = rebuildRecording({
    state: runToEnd(scribe.past.state()),
    blocks: [...scribe.blocks.values()],
    oldest: scribe.recording.oldest,
    newest: scribe.recording.newest,
    limits: {runs: Infinity, bytes: Infinity},
    lineage,
    parentsOf: name => parents[name] ?? [],
    uidOf: () => 0,
    similarRun: (collection, input) => scribe.past.run(collection, input)?.run,
    ...options,
  });
  return runToEnd(steps);
}

describe('the state at any kept sequence', () => {
  test('is what every collection held then, from memory and from blocks alike', () => {
    fc.assert(
      fc.property(fc.array(step, {minLength: 1, maxLength: 40}), steps => {
        const scribe = new RecordedTestGraph();
        for (const one of steps) play(scribe, one);
        const past = new PastStates(readBack(scribe));
        for (const [sequence, copy] of scribe.copies) {
          if (sequence < scribe.recording.oldest) continue;
          expect(stateOf(scribe.past, sequence, copy.keys())).toEqual(copy);
          expect(stateOf(past, sequence, copy.keys())).toEqual(copy);
          for (const [name, rows] of copy) expect(past.size(name, sequence)).toBe(rows.size);
        }
      }),
      {numRuns: 60},
    );
  });

  test('holds for a ring that has let its oldest batches go', () => {
    fc.assert(
      fc.property(fc.array(step, {minLength: 30, maxLength: 60}), steps => {
        const scribe = new RecordedTestGraph({runs: 10, bytes: Infinity});
        for (const one of steps) play(scribe, one);
        const again = readBack(scribe);
        expect(again.oldest).toBe(scribe.recording.oldest);
        const past = new PastStates(again);
        for (const [sequence, copy] of scribe.copies) {
          if (sequence < scribe.recording.oldest) continue;
          expect(stateOf(scribe.past, sequence, copy.keys())).toEqual(copy);
          expect(stateOf(past, sequence, copy.keys())).toEqual(copy);
        }
      }),
      {numRuns: 40},
    );
  });
});

test('blocks bring back every run with its causes, fetches and outputs', () => {
  fc.assert(
    fc.property(fc.array(step, {minLength: 1, maxLength: 40}), steps => {
      const scribe = new RecordedTestGraph();
      for (const one of steps) play(scribe, one);
      const again = readBack(scribe);
      for (const batch of scribe.batches) {
        const other = again.batch(batch.sequence);
        expect(other?.runCount).toBe(batch.runCount);
        for (const node of batch.runNodes) {
          const run = other?.runNodes[node?.position ?? -1]?.run;
          expect(run && plain(run)).toEqual(plain(node!.run));
        }
      }
    }),
    // Equal after a failure: the previous run yielded nothing, and yet the output is the same.
    {numRuns: 40, examples: [[[1, 13, 1].map(value => ({what: 0, name: 1, value, app: 'a', ports: []}))]]},
  );
});

/** Leaves out what the encoding rounds or drops: times, uids, values, the order of outputs. */
function plain({
  causes,
  fetches,
  outputs,
  outcome,
  counts,
  input,
  collection,
  error,
}: import('../krt/index.ts').Run) {
  return {
    collection,
    input,
    outcome,
    counts,
    error,
    causes: causes.map(({uid: _, ...cause}) => cause),
    fetches: fetches.map(({uid: _, scanned: __, ...fetch}) => fetch),
    outputs: outputs.map(({key, change}) => `${key} ${change}`).sort(),
  };
}

test('after a restart the old run of an untouched input still says why it is as it is', () => {
  const scribe = new RecordedTestGraph();
  scribe.write(() => scribe.pods.updateObject(pod('p1', 1, 'a', [1])));
  scribe.write(() => scribe.pods.updateObject(pod('p1', 2, 'a', [1])));
  const before = readBack(scribe);
  const {newest} = before;
  const restarted = new RecordedTestGraph();
  const fresh = new Recording({runs: Infinity, bytes: Infinity}, lineage, newest);
  restarted.write(() => restarted.pods.updateObject(pod('p1', 2, 'a', [1])));
  for (const batch of restarted.batches) {
    const sequence = newest + batch.sequence;
    const published = batch.changeNodes.map(node => ({...node!.published}));
    const runs = batch.runNodes.map(node => node!.run);
    const {received, settled} = batch;
    fresh.record({sequence, received, settled, synced: [], changes: [], published, runs}, {}, []);
  }
  const blocks = runToEnd(appendRecording(before, fresh, fresh.newest));
  const last = new PastStates(before).run('Workloads', 'ns/p1');
  expect(last?.sequence).toBe(newest);
  expect(last?.run.causes[0]?.kind).toBe('input');
  expect(before.newest).toBe(fresh.newest);
  expect(blocks.map(({sequence}) => sequence)).toEqual([...fresh.batches()].map(({sequence}) => sequence));
});

test('a long answer that grows and shrinks at its end comes back with its count, and one that moves with its keys', () => {
  const scribe = new RecordedTestGraph();
  const keys = Array.from({length: 30}, (_, i) => `k${i}`);
  for (const key of keys) scribe.write(() => scribe.extra.updateObject({key, extra: 1}));
  for (const key of ['k29', 'k3', 'k28', 'k27', 'k26', 'k25', 'k24', 'k23']) {
    scribe.write(() => scribe.extra.deleteObject(key));
  }
  const told = (recording: Recording) =>
    [...recording.batches()].flatMap(({runNodes}) =>
      runNodes
        .filter(node => node?.run.collection === 'Total')
        .map(node => node?.run.fetches.map(({matched, keys: found}) => [matched, found.slice(0, 24)])),
    );
  const before = told(scribe.recording);
  expect(before.at(-1)?.[0]?.[0]).toBe(22);
  expect(told(readBack(scribe))).toEqual(before);
  const sizes = [...scribe.blocks.values()].map(({bytes}) => bytes.byteLength);
  const [ended = 0, moved = 0] = sizes.slice(-8);
  expect(moved).toBeGreaterThan(ended + 24);
});

test('a row that the replay did not bring back costs its value and not the recording', () => {
  const scribe = new RecordedTestGraph();
  for (const value of [1, 2, 3]) scribe.write(() => scribe.pods.updateObject(pod('p1', value, 'a', [1])));
  scribe.write(() => scribe.pods.updateObject(pod('p2', 1, 'a', [1])));
  const state = runToEnd(scribe.past.state());
  const name = [...state].find(([, rows]) => rows.has('ns/p1'))?.[0] ?? '';
  state.get(name)?.delete('ns/p1');
  state.get(name)?.set('ns/new', pod('new', 1, 'a', [1]));
  const {newest} = scribe.recording;
  const past = new PastStates(readBack(scribe, {state, isReplayed: true}));
  expect(past.value(name, 'ns/p1', newest)).toBe(LOST_VALUE);
  expect(past.value(name, 'ns/p2', newest)).toEqual(scribe.past.value(name, 'ns/p2', newest));
  // A row that only the replay has belongs to no earlier moment.
  expect(past.has(name, 'ns/new', newest)).toBe(false);
});

test('a block that cannot be read costs that block', () => {
  const scribe = new RecordedTestGraph();
  for (const value of [1, 2, 3]) scribe.write(() => scribe.pods.updateObject(pod('p1', value, 'a', [1])));
  scribe.write(() => scribe.pods.updateObject(pod('p2', 1, 'a', [1])));
  const lost: number[] = [];
  const second = scribe.batches[1]!.sequence;
  const blocks = [...scribe.blocks.values()].map(block =>
    block.sequence === second ? {...block, bytes: block.bytes.subarray(0, 5)} : block,
  );
  expect(() => readBack(scribe, {blocks})).toThrow();
  const again = readBack(scribe, {blocks, onUnreadable: sequence => lost.push(sequence)});
  expect(lost).toEqual([second]);
  expect([...again.batches()].map(({sequence}) => sequence)).toEqual(
    scribe.batches.map(({sequence}) => sequence).filter(sequence => sequence !== second),
  );
});

test('a row whose last change was in an unreadable block stays in later moments after a restart', () => {
  const scribe = new RecordedTestGraph();
  scribe.write(() => scribe.pods.updateObject(pod('p1', 1, 'a', [1])));
  scribe.write(() => scribe.pods.updateObject(pod('p2', 1, 'a', [1])));
  scribe.write(() => scribe.pods.updateObject(pod('p2', 2, 'a', [1])));
  const {newest} = scribe.recording;
  const added = scribe.batches[1]!.sequence;
  const blocks = [...scribe.blocks.values()].map(block =>
    block.sequence === added ? {...block, bytes: new Uint8Array()} : block,
  );
  const lost: number[] = [];
  const again = readBack(scribe, {blocks, isReplayed: true, onUnreadable: sequence => lost.push(sequence)});
  expect(lost).toEqual([added]);
  const past = new PastStates(again);
  for (const [name, rows] of runToEnd(scribe.past.state()))
    for (const key of rows.keys())
      expect([name, key, past.has(name, key, newest)]).toEqual([name, key, true]);
});

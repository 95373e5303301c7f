import {expect, test} from 'vitest';
import {PastStates} from './past-states.ts';
import {pod, RecordedTestGraph, service} from './testing-recorded-graph.ts';

test('the last run of a living input stays when everything around it has rolled off', () => {
  const scribe = new RecordedTestGraph({runs: 20, bytes: Infinity});
  scribe.write(() => scribe.pods.updateObject(pod('quiet', 1)));
  const first = scribe.past.run('Workloads', 'ns/quiet')?.sequence as number;
  for (let i = 0; i < 100; i++) scribe.write(() => scribe.pods.updateObject(pod('busy', i + 20)));
  expect(scribe.recording.oldest).toBeGreaterThan(first);
  expect(scribe.past.run('Workloads', 'ns/quiet')?.sequence).toBe(first);
  expect(scribe.past.change('Workloads', 'ns/quiet')?.sequence).toBe(first);
  expect(scribe.recording.batch(first)?.runNodes.some(node => node?.run.input === 'ns/quiet')).toBe(true);
  // After it runs again, that batch is no longer needed.
  scribe.write(() => scribe.pods.updateObject(pod('quiet', 2)));
  expect(scribe.recording.batch(first)).toBeUndefined();
  expect(scribe.blocks.has(first)).toBe(false);
});

test('a batch beside the ring does not keep the batches after it', () => {
  const scribe = new RecordedTestGraph({runs: 20, bytes: Infinity});
  scribe.write(() => {
    scribe.pods.updateObject(pod('quiet', 1));
    scribe.pods.updateObject(pod('busy', 1));
  });
  for (let i = 0; i < 100; i++) scribe.write(() => scribe.pods.updateObject(pod('busy', i + 20)));
  const beside = [...scribe.recording.batchesBesideRing()];
  expect(beside.length).toBeGreaterThan(0);
  const nodes = beside.flatMap(({changeNodes, runNodes}) => [...changeNodes, ...runNodes]);
  expect(nodes.some(node => node?.next !== undefined)).toBe(false);
  scribe.write(() => scribe.pods.updateObject(pod('quiet', 2)));
  expect(nodes.some(node => node?.next !== undefined)).toBe(false);
});

test('the limit of runs does not count the last run of each living input', () => {
  const scribe = new RecordedTestGraph({runs: 50, bytes: Infinity});
  for (let i = 0; i < 200; i++) scribe.write(() => scribe.pods.updateObject(pod(`p${i}`, 1)));
  expect(scribe.past.run('Workloads', 'ns/p0')).toBeDefined();
  expect(scribe.recording.kept.runs).toBeLessThanOrEqual(scribe.recording.limits.runs);
});

test('the limit of bytes holds', () => {
  const scribe = new RecordedTestGraph({runs: Infinity, bytes: 20_000});
  for (let i = 0; i < 300; i++) scribe.write(() => scribe.pods.updateObject(pod('p', i + 20)));
  expect(scribe.recording.kept.bytes).toBeLessThanOrEqual(20_000);
  expect(scribe.recording.oldest).toBeGreaterThan(10);
});

test('an item that is gone is found as long as its removal is kept', () => {
  const scribe = new RecordedTestGraph({runs: 20, bytes: Infinity});
  scribe.write(() => scribe.pods.updateObject(pod('p', 1)));
  scribe.write(() => scribe.pods.deleteObject('ns/p'));
  const gone = scribe.recording.newest;
  expect(scribe.past.change('Workloads', 'ns/p')?.published.event).toBe('delete');
  expect(scribe.past.run('Workloads', 'ns/p')?.run.outcome).toBe('added');
  expect(scribe.recording.latest('Workloads').inputs.has('ns/p')).toBe(false);
  for (let i = 0; i < 100; i++) scribe.write(() => scribe.pods.updateObject(pod('busy', i + 20)));
  expect(scribe.recording.oldest).toBeGreaterThan(gone);
  expect(scribe.past.change('Workloads', 'ns/p')).toBeUndefined();
  expect(scribe.past.run('Workloads', 'ns/p')).toBeUndefined();
});

test('rows of a failed run stay its outputs', () => {
  const scribe = new RecordedTestGraph();
  scribe.write(() => scribe.pods.updateObject(pod('p', 1)));
  scribe.write(() => scribe.pods.updateObject(pod('p', 13)));
  expect(scribe.past.run('Workloads', 'ns/p')?.run.outcome).toBe('failed');
  expect(scribe.past.outputs('Workloads', 'ns/p', Infinity)).toEqual(['ns/p']);
  expect([...scribe.recording.latest('Workloads').failed]).toEqual(['ns/p']);
});

test('fetch edges live as long as some input holds them', () => {
  const scribe = new RecordedTestGraph();
  scribe.write(() => scribe.pods.updateObject(pod('p', 1)));
  expect(scribe.recording.latest('Workloads').reads.get('Services')?.count).toBe(2);
  scribe.write(() => scribe.pods.deleteObject('ns/p'));
  expect(scribe.recording.latest('Workloads').reads.get('Services')?.count).toBe(0);
});

test('what changed between two sequences has the values at either end', () => {
  const scribe = new RecordedTestGraph();
  scribe.write(() => scribe.pods.updateObject(pod('p', 1)));
  const from = scribe.recording.newest;
  scribe.write(() => scribe.pods.updateObject(pod('p', 2)));
  scribe.write(() => scribe.services.updateObject(service('s', 'b')));
  scribe.write(() => scribe.pods.updateObject(pod('p', 3, 'b')));
  const diff = new PastStates(scribe.recording).diff(from, scribe.recording.newest);
  expect(diff.get('Workloads')).toEqual([
    {
      key: 'ns/p',
      old: expect.objectContaining({value: 1}),
      new: expect.objectContaining({value: 3, services: ['s']}),
    },
  ]);
  expect(diff.get('Services')?.[0]).not.toHaveProperty('old');
});

test('batches with a run that failed are found without reading the others, as long as the ring has them', () => {
  const scribe = new RecordedTestGraph({runs: 20, bytes: Infinity});
  const found = () => Array.from(scribe.recording.rejectingBatches(), ({sequence}) => sequence);
  scribe.write(() => scribe.pods.updateObject(pod('p', 1)));
  expect(found()).toEqual([]);
  scribe.write(() => scribe.pods.updateObject(pod('p', 13)));
  const failed = scribe.recording.newest;
  scribe.write(() => scribe.pods.updateObject(pod('q', 13)));
  expect(found()).toEqual([failed, scribe.recording.newest]);
  expect(Array.from(scribe.recording.rejectingBatches(failed), ({sequence}) => sequence)).toEqual([failed]);
  for (let i = 0; i < 100; i++) scribe.write(() => scribe.pods.updateObject(pod('busy', i + 20)));
  expect(found()).toEqual([]);
});

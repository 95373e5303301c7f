import {expect, test} from 'vitest';
import type {SourceChange} from '../../link/engine-link.ts';
import {ReplayLog} from './replay-log.ts';

const write = (key: string, value: unknown = key): SourceChange => ({
  collection: 'Pods',
  key,
  event: 'update',
  new: value,
  received: 1,
});
const remove = (key: string): SourceChange => ({collection: 'Pods', key, event: 'delete', received: 1});
const replayedRows = (objects: ReplayLog) =>
  [...objects.chunks()].flat().map(([, key, value]) => [key, value]);
const keys = (taken: ReturnType<ReplayLog['take']>) =>
  taken?.arrivals.map(arrival =>
    'changes' in arrival ? arrival.changes.map(({key}) => key).join() : arrival.source,
  );

test('only what the engine process has settled is replayed; the rest goes out again', () => {
  const objects = new ReplayLog();
  objects.add({changes: [write('a'), write('b')]});
  const first = objects.take();
  objects.add({changes: [remove('b')]});
  objects.settle(first!.through);
  expect(replayedRows(objects)).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ]);
  objects.take();
  expect(objects.rewind()).toEqual([]);
  expect(keys(objects.take())).toEqual(['b']);
  objects.settle(99);
  expect(replayedRows(objects)).toEqual([['a', 'a']]);
});

test('after a death only the last write to an object counts, so an object that is gone cannot kill again', () => {
  const objects = new ReplayLog();
  objects.add({changes: [write('bad'), write('good')]});
  objects.take();
  objects.add({changes: [remove('bad')]});
  objects.rewind();
  const removal = objects.take();
  expect(keys(removal)).toEqual(['bad']);
  objects.settle(removal!.through);
  expect(keys(objects.take())).toEqual(['good']);
});

test('what a process dies of twice is set aside, and the rest goes in', () => {
  const objects = new ReplayLog();
  objects.add({changes: [write('a'), write('bad')]});
  objects.add({changes: [write('b')]});
  const aside: SourceChange[] = [];
  const dies = () => aside.push(...objects.rewind());
  for (let life = 0; life < 12 && aside.length === 0; life++) {
    for (let taken = objects.take(); taken !== undefined; taken = objects.take()) {
      if (keys(taken)?.some(key => key.includes('bad'))) {
        dies();
        break;
      }
      objects.settle(taken.through);
    }
  }
  expect(aside.map(({key}) => key)).toEqual(['bad']);
  for (let taken = objects.take(); taken !== undefined; taken = objects.take()) objects.settle(taken.through);
  expect(
    replayedRows(objects)
      .map(([key]) => key)
      .sort(),
  ).toEqual(['a', 'b']);
  // A new write to the object is tried again.
  objects.add({changes: [write('bad', 'mended')]});
  expect(keys(objects.take())).toEqual(['bad']);
});

test('a report keeps its place behind the objects it speaks of', () => {
  const objects = new ReplayLog();
  objects.add({changes: [write('a')]});
  objects.add({source: 'Pods', report: {state: 'synced', synced: true}});
  expect(keys(objects.take())).toEqual(['a', 'Pods']);
  objects.settle(99);
  expect(objects.reports()).toEqual([['Pods', {state: 'synced', synced: true}]]);
});

test('a sample has some of each kind, others each time; few objects need none', () => {
  const objects = new ReplayLog();
  const fill = (collection: string, count: number) => {
    objects.add({changes: Array.from({length: count}, (_, i) => ({...write(`${i}`), collection}))});
    for (let taken = objects.take(); taken !== undefined; taken = objects.take())
      objects.settle(taken.through);
  };
  fill('Pods', 900);
  expect([...objects.samples(2)]).toEqual([]);
  fill('Services', 200);
  const told = [...objects.samples(2)].map(sample => {
    const pods = sample.filter(([collection]) => collection === 'Pods');
    return [sample.length - pods.length, pods.length, pods[0]?.[1]];
  });
  expect(told).toEqual([
    [200, 500, '0'],
    [200, 500, '0'],
  ]);
  fill('Pods', 1600);
  expect([...objects.samples(3)].map(sample => sample[0]?.[1])).toEqual(['0', '500', '1000']);
});

test('a long list goes in as many small batches; the report that it is whole stays behind all of them', () => {
  const objects = new ReplayLog();
  objects.add({changes: Array.from({length: 1200}, (_, i) => write(`p${i}`))});
  objects.add({source: 'Pods', report: {state: 'synced', synced: true}});
  const sizes: number[] = [];
  let last: ReturnType<typeof keys>;
  for (let taken = objects.take(); taken !== undefined; taken = objects.take()) {
    for (const arrival of taken.arrivals) if ('changes' in arrival) sizes.push(arrival.changes.length);
    last = keys(taken);
    objects.settle(taken.through);
  }
  expect(sizes).toEqual([500, 500, 200]);
  expect(last?.at(-1)).toBe('Pods');
  expect(objects.size).toBe(1200);
});

test('what takes too long is tried alone, piece by piece, and never set aside', () => {
  const objects = new ReplayLog();
  objects.add({changes: [write('slow'), write('b')]});
  const alone: string[] = [];
  for (let life = 0; life < 20; life++) {
    const taken = objects.take();
    alone.push(String(keys(taken)));
    expect(objects.rewind({reason: 'it did not answer for 20.0 s', slow: true})).toEqual([]);
  }
  expect(alone.slice(-2).sort()).toEqual(['b', 'slow']);
  expect([...objects.withheld.keys()]).toEqual([]);
});

test('writes to one object that wait for a slow engine become one, the last; what was said in between keeps its place', () => {
  const objects = new ReplayLog();
  objects.add({changes: [write('first')]});
  const sent = objects.take();
  for (let i = 0; i < 20_000; i++) objects.add({changes: [write('hot', i), write(`cold-${i % 10}`, i)]});
  objects.add({source: 'Pods', report: {state: 'synced', synced: true}});
  objects.add({changes: [write('hot', 'after'), remove('cold-0')]});
  objects.settle(sent!.through);
  let entries = 0;
  const order: string[] = [];
  for (let taken = objects.take(); taken !== undefined; taken = objects.take()) {
    entries += taken.arrivals.length;
    order.push(...(keys(taken) ?? []));
    objects.settle(taken.through);
  }
  expect(entries).toBeLessThan(2100);
  // "synced" refers to objects that were written before it.
  expect(order.slice(0, order.indexOf('Pods')).join()).toContain('hot');
  expect(Object.fromEntries(replayedRows(objects) as [string, unknown][])).toEqual({
    first: 'first',
    hot: 'after',
    ...Object.fromEntries(Array.from({length: 9}, (_, i) => [`cold-${i + 1}`, 19_991 + i])),
  });
});

test('of writes that became one nobody is named for what another wrote; who made the object is named for it', () => {
  const by = (manager: string, change: SourceChange): SourceChange => ({
    ...change,
    writer: {manager, operation: 'Update'},
  });
  const made = (key: string): SourceChange => ({...write(key), event: 'add'});
  const story = [
    by('kubectl-label', write('mixed')),
    by('kubelet', write('mixed')),
    by('helm', write('alone')),
    by('helm', write('alone')),
    remove('again'),
    by('kubectl-create', made('again')),
    by('kubelet', write('again')),
    by('kubelet', write('one')),
  ];
  const named = (objects: ReplayLog) => {
    const found: Record<string, string | undefined> = {};
    for (let taken = objects.take(); taken !== undefined; taken = objects.take()) {
      for (const arrival of taken.arrivals)
        if ('changes' in arrival) for (const {key, writer} of arrival.changes) found[key] = writer?.manager;
      objects.settle(taken.through);
    }
    return found;
  };
  const expected = {mixed: undefined, alone: 'helm', again: 'kubectl-create', one: 'kubelet'};
  const died = new ReplayLog();
  for (const change of story) died.add({changes: [change]});
  died.take();
  died.rewind();
  expect(named(died)).toEqual(expected);
  const behind = new ReplayLog();
  behind.add({changes: story});
  for (let n = 0; n < 1000; n++) behind.add({changes: [write('busy')]});
  expect(named(behind)).toEqual({...expected, busy: undefined});
});

const reportedBatch = (synced: string[] = []) => ({received: 1, settled: 1, synced, runs: []});

test('what a program told of a batch is told again after a death, whole and in its order', () => {
  const objects = new ReplayLog();
  const batches = [
    {changes: [write('a', 1), write('b', 1)], told: reportedBatch(['Pods'])},
    {changes: [write('graph')]},
    {changes: [write('a', 2)], told: reportedBatch()},
    {changes: [remove('a')], told: reportedBatch()},
  ];
  for (const batch of batches.slice(0, 3)) objects.add(batch);
  objects.take();
  objects.add(batches[3]!);
  expect(objects.rewind()).toEqual([]);
  const again: unknown[] = [];
  for (let taken = objects.take(); taken !== undefined; taken = objects.take()) {
    again.push(...taken.arrivals);
    objects.settle(taken.through);
  }
  expect(again).toEqual(batches);
});

test('a told batch that a process dies of twice alone is set aside, and those after it go in', () => {
  const objects = new ReplayLog();
  objects.add({changes: [write('bad'), write('worse')], told: reportedBatch()});
  objects.add({changes: [write('good')], told: reportedBatch()});
  objects.take();
  expect(objects.rewind()).toEqual([]);
  expect(keys(objects.take())).toEqual(['bad,worse']);
  expect(objects.rewind({slow: true})).toEqual([]);
  expect(keys(objects.take())).toEqual(['bad,worse']);
  expect(objects.rewind({innocent: true})).toEqual([]);
  expect(keys(objects.take())).toEqual(['bad,worse']);
  expect(objects.rewind().map(({key}) => key)).toEqual(['bad', 'worse']);
  expect(keys(objects.take())).toEqual(['good']);
});

// The storage's rules: one counter, a log that replays, snapshots of the past.
import v8 from 'node:v8';
import vm from 'node:vm';
import {expect, test} from 'vitest';
import type {StoredObject} from '../object/stored-object.ts';
import {Storage} from './storage.ts';

const thing = (name: string, value: number): StoredObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: {name, namespace: 'a'},
  value,
});

test('every write of every resource takes the next revision', () => {
  const storage = new Storage();
  const first = storage.put('things', 'a/x', thing('x', 1));
  const second = storage.put('others', 'a/y', thing('y', 1));
  const gone = storage.remove('things', 'a/x');
  const revisions = [first, second, gone].map(object => Number(object?.metadata.resourceVersion));
  expect(revisions).toEqual([revisions[0]!, revisions[0]! + 1, revisions[0]! + 2]);
  expect(storage.revision).toBe(revisions[2]);
});

test('a snapshot shows the past: changed objects as they were, deleted ones again, new ones not yet', () => {
  const storage = new Storage();
  storage.put('things', 'a/b', thing('b', 1));
  storage.put('things', 'a/d', thing('d', 1));
  const then = storage.revision;
  storage.put('things', 'a/b', thing('b', 2));
  storage.remove('things', 'a/d');
  storage.put('things', 'a/c', thing('c', 1));
  const at = (revision: number) =>
    [...storage.resourceStore('things').snapshot(revision, 'a/')].map(
      ([key, object]) => `${key}=${object.value}`,
    );
  expect(at(then)).toEqual(['a/b=1', 'a/d=1']);
  expect(at(storage.revision)).toEqual(['a/b=2', 'a/c=1']);
});

test('a snapshot goes on after a key', () => {
  const storage = new Storage();
  for (const name of ['a', 'b', 'c', 'd']) storage.put('things', `n/${name}`, thing(name, 1));
  const keys = [...storage.resourceStore('things').snapshot(storage.revision, 'n/', 'n/b')].map(
    ([key]) => key,
  );
  expect(keys).toEqual(['n/c', 'n/d']);
});

test('compaction forgets what came before, also of resources nobody has written yet', () => {
  const storage = new Storage();
  storage.put('things', 'a/x', thing('x', 1));
  storage.compact();
  expect(storage.resourceStore('things').forgotten).toBe(storage.revision);
  expect(storage.resourceStore('never').forgotten).toBe(storage.revision);
  expect(storage.resourceStore('things').since(0)).toEqual([]);
});

test('the log keeps its limit and knows what it dropped', () => {
  const storage = new Storage({logLimit: 10});
  for (let i = 0; i < 100; i++) storage.put('things', 'a/x', thing('x', i));
  const shelf = storage.resourceStore('things');
  const kept = shelf.since(shelf.forgotten);
  expect(kept.length).toBeGreaterThanOrEqual(10);
  expect(kept.length).toBeLessThan(14);
  expect(kept[0]!.revision).toBe(shelf.forgotten + 1);
});

test('the log forgets changes that are older than five minutes: each holds a whole object', () => {
  let now = 0;
  const storage = new Storage({now: () => now});
  const shelf = storage.resourceStore('things');
  for (let i = 0; i < 10_000; i++) {
    now += 1000;
    storage.put('things', 'a/x', thing('x', i));
    if (i % 97 === 0) expect(shelf.since(0).length).toBeLessThan(300 + 251);
  }
  expect(shelf.since(0).length).toBeGreaterThanOrEqual(300);
  expect(shelf.forgotten).toBe(shelf.since(0)[0]!.revision - 1);
});

test('a log of thousands of changes takes little memory and replays each as it was', () => {
  let now = 0;
  const storage = new Storage({now: () => now});
  const shelf = storage.resourceStore('things');
  const large = (i: number) => ({...thing('x', i), list: Array.from({length: 200}, () => ({}))});
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 2500; i++) {
    now += 50;
    storage.put('things', i % 2 === 0 ? 'a/x' : 'a/y', large(i));
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(15e6);
  const replayed = shelf.since(0);
  expect(replayed.map(({object}) => object.value)).toEqual(Array.from({length: 2500}, (_, i) => i));
  expect(replayed.map(({previous}) => previous?.value)).toEqual(
    Array.from({length: 2500}, (_, i) => (i < 2 ? undefined : i - 2)),
  );
  expect(shelf.since(replayed[1200]!.revision)).toEqual(replayed.slice(1201));
  const past = shelf.snapshot(replayed[1200]!.revision, 'a/');
  expect([...past].map(([key, {value}]) => [key, value])).toEqual([
    ['a/x', 1200],
    ['a/y', 1199],
  ]);
});

test('waiting for a revision ends when it comes', async () => {
  const storage = new Storage();
  const waiting = storage.waitForRevision(storage.revision + 1, 5000);
  storage.put('things', 'a/x', thing('x', 1));
  expect(await waiting).toBe(true);
  expect(await storage.waitForRevision(storage.revision + 5, 1)).toBe(false);
});

// The ledger's promises: one counter, a log that replays, snapshots of the past.
import {expect, test} from 'vitest';
import type {KubeObject} from '../object/types.ts';
import {Ledger} from './ledger.ts';

const thing = (name: string, value: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: {name, namespace: 'a'},
  value,
});

test('every write of every resource takes the next revision', () => {
  const ledger = new Ledger();
  const first = ledger.put('things', 'a/x', thing('x', 1));
  const second = ledger.put('others', 'a/y', thing('y', 1));
  const gone = ledger.remove('things', 'a/x');
  const revisions = [first, second, gone].map(object => Number(object?.metadata.resourceVersion));
  expect(revisions).toEqual([revisions[0]!, revisions[0]! + 1, revisions[0]! + 2]);
  expect(ledger.revision).toBe(revisions[2]);
});

test('a snapshot shows the past: changed objects as they were, deleted ones again, new ones not yet', () => {
  const ledger = new Ledger();
  ledger.put('things', 'a/b', thing('b', 1));
  ledger.put('things', 'a/d', thing('d', 1));
  const then = ledger.revision;
  ledger.put('things', 'a/b', thing('b', 2));
  ledger.remove('things', 'a/d');
  ledger.put('things', 'a/c', thing('c', 1));
  const at = (revision: number) =>
    [...ledger.shelf('things').snapshot(revision, 'a/')].map(([key, object]) => `${key}=${object.value}`);
  expect(at(then)).toEqual(['a/b=1', 'a/d=1']);
  expect(at(ledger.revision)).toEqual(['a/b=2', 'a/c=1']);
});

test('a snapshot goes on after a key', () => {
  const ledger = new Ledger();
  for (const name of ['a', 'b', 'c', 'd']) ledger.put('things', `n/${name}`, thing(name, 1));
  const keys = [...ledger.shelf('things').snapshot(ledger.revision, 'n/', 'n/b')].map(([key]) => key);
  expect(keys).toEqual(['n/c', 'n/d']);
});

test('compaction forgets what came before, also of resources nobody has written yet', () => {
  const ledger = new Ledger();
  ledger.put('things', 'a/x', thing('x', 1));
  ledger.compact();
  expect(ledger.shelf('things').forgotten).toBe(ledger.revision);
  expect(ledger.shelf('never').forgotten).toBe(ledger.revision);
  expect(ledger.shelf('things').since(0)).toEqual([]);
});

test('the log keeps its limit and knows what it dropped', () => {
  const ledger = new Ledger({logLimit: 10});
  for (let i = 0; i < 100; i++) ledger.put('things', 'a/x', thing('x', i));
  const shelf = ledger.shelf('things');
  const kept = shelf.since(shelf.forgotten);
  expect(kept.length).toBeGreaterThanOrEqual(10);
  expect(kept.length).toBeLessThan(14);
  expect(kept[0]!.revision).toBe(shelf.forgotten + 1);
});

test('waiting for a revision ends when it comes', async () => {
  const ledger = new Ledger();
  const waiting = ledger.reached(ledger.revision + 1, 5000);
  ledger.put('things', 'a/x', thing('x', 1));
  expect(await waiting).toBe(true);
  expect(await ledger.reached(ledger.revision + 5, 1)).toBe(false);
});

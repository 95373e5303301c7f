import {expect, test} from 'vitest';
import type {CollectionFacts} from '../../../explain/records.ts';
import {CollectionHistory} from './collection-history.ts';

let uids = 0;
const fact = (name: string, parents: string[] = [], kind: CollectionFacts['kind'] = 'derived') => ({
  name,
  uid: ++uids,
  kind: parents.length === 0 ? ('source' as const) : kind,
  synced: true,
  parents,
  indexes: [],
});
const names = (facts: readonly CollectionFacts[]) => facts.map(({name}) => name);

test('a moment shows the collections of then, sources first', () => {
  const lives = new CollectionHistory();
  const [pods, ready] = [fact('Pods'), fact('Ready', ['Pods'])];
  lives.update([pods, ready], 0);
  const gateways = fact('Gateways');
  lives.update([pods, gateways, ready], 10);
  lives.update([pods, ready], 20);
  const at = (sequence: number) => names(lives.at(sequence, [pods, ready]));
  expect(at(10)).toEqual(['Pods', 'Ready']);
  expect(at(11)).toEqual(['Pods', 'Gateways', 'Ready']);
  expect(at(20)).toEqual(['Pods', 'Gateways', 'Ready']);
  expect(at(21)).toEqual(['Pods', 'Ready']);
  expect(lives.ended(0, 20)).toEqual([]);
  expect(lives.ended(0, 21)).toEqual(['Gateways']);
});

test('who hangs on whom is told as it was in that batch', () => {
  const lives = new CollectionHistory();
  const [pods, services] = [fact('Pods'), fact('Services')];
  lives.update([pods, services, fact('Mine', ['Pods'])], 0);
  lives.update([pods, services], 5);
  lives.update([pods, services, fact('Mine', ['Services'])], 5);
  lives.update([pods, services, fact('Mine', ['Services'], 'join')], 9);
  expect([5, 6, 10].map(n => [lives.childrenOf('Pods', n), lives.childrenOf('Services', n)])).toEqual([
    [['Mine'], []],
    [[], ['Mine']],
    [[], []],
  ]);
  expect([lives.isJoin('Mine', 9), lives.isJoin('Mine', 10)]).toEqual([false, true]);
});

test('a restart goes on with what the process before it knew', () => {
  const before = new CollectionHistory();
  const earlier = fact('Pods');
  before.update([earlier], 0);
  before.noteSynced('Pods', 3);
  before.update([earlier, fact('Old')], 4);
  before.update([earlier, fact('Gateways')], 8);
  const written = JSON.parse(JSON.stringify(before.write()));
  const lives = new CollectionHistory();
  const [pods, gateways, fresh] = [fact('Pods'), fact('Gateways'), fact('Fresh')];
  lives.update([pods], 30);
  lives.update([pods, gateways], 30);
  lives.noteSynced('Pods', 31);
  lives.update([pods, gateways, fresh], 40);
  lives.restore(written, 31);
  const now = [pods, gateways, fresh];
  expect([4, 6, 9, 41].map(sequence => names(lives.at(sequence, now)))).toEqual([
    ['Pods'],
    ['Pods', 'Old'],
    ['Pods', 'Gateways'],
    ['Pods', 'Gateways', 'Fresh'],
  ]);
  expect(lives.syncedAt('Pods')).toBe(3);
});

test('what ended before anything that is kept is forgotten, and so are texts that no moment can ask for', () => {
  const lives = new CollectionHistory();
  const pods = fact('Pods');
  const mine = fact('Mine', ['Pods']);
  const order = (hash: string) => ({name: 'Mine', kind: 'one' as const, code: hash, hash, reads: []});
  lives.update([pods, mine], 0, 0);
  // A program that reconnects a hundred times, each time with new collections. Ten batches are kept.
  for (let n = 1; n <= 100; n++) {
    lives.update([pods, mine, fact('Told')], n, n - 10);
    lives.noteRevision(order(`text ${n}`), n + 1, n - 10);
  }
  expect(lives.write().length).toBeLessThan(15);
  expect(lives.write().find(({fact: {name}}) => name === 'Mine')?.revisions?.length).toBeLessThan(15);
  expect([91, 95, 101].map(at => lives.revision('Mine', at)?.hash)).toEqual([
    'text 90',
    'text 94',
    'text 100',
  ]);
  expect(names(lives.at(95, [pods, mine]))).toEqual(['Pods', 'Told', 'Mine']);
});

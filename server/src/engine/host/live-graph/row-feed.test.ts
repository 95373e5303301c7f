import {expect, test} from 'vitest';
import {createEngine, newStaticCollection} from '../../../krt/index.ts';
import {RowFeeds} from './row-feed.ts';

interface Thing {
  metadata: {name: string};
  n: number;
}
const thing = (name: string, n = 0): Thing => ({metadata: {name}, n});

function rig(size: number) {
  const engine = createEngine({checks: 'off'});
  const things = newStaticCollection<Thing>(
    engine,
    Array.from({length: size}, (_, i) => thing(`t${i}`)),
    {name: 'Things'},
  );
  const feeds = new RowFeeds(engine);
  const copy = new Map<string, unknown>();
  let since: string | undefined;
  const bring = (): number => {
    let next: string | undefined;
    let pieces = 0;
    do {
      const answer = feeds.answer('Things', since, next);
      if (answer === undefined) throw new Error('no such collection');
      if (answer.reset) copy.clear();
      for (const key of answer.gone) copy.delete(key);
      const rows = JSON.parse(answer.rows) as [string, unknown][];
      for (const [key, value] of rows) copy.set(key, value);
      pieces += rows.length;
      next = answer.next;
      if (next === undefined) since = answer.since;
    } while (next !== undefined);
    return pieces;
  };
  const isSame = () =>
    expect([...copy].sort()).toEqual(
      things
        .list()
        .map(one => [one.metadata.name, one])
        .sort(),
    );
  return {engine, things, feeds, bring, isSame};
}

test('a copy is filled in pieces and then costs what changed', () => {
  const {things, bring, isSame} = rig(1203);
  expect(bring()).toBe(1203);
  isSame();
  things.updateObject(thing('t3', 1));
  things.updateObject(thing('new'));
  things.deleteObject('t4');
  expect(bring()).toBe(2);
  isSame();
  expect(bring()).toBe(0);
});

test('a change while the pieces are on their way is in the copy after the next question', () => {
  const {things, feeds, bring, isSame} = rig(900);
  feeds.answer('Things', undefined, undefined);
  things.updateObject(thing('t3', 1));
  bring();
  things.deleteObject('t5');
  bring();
  isSame();
});

test('after more changes than rows the copy begins anew, and so it does after a restart', () => {
  const {things, feeds, bring, isSame} = rig(10);
  bring();
  for (let i = 0; i < 2000; i++) things.updateObject(thing(`t${i}`));
  for (let i = 0; i < 2000; i++) things.deleteObject(`t${i}`);
  bring();
  isSame();
  expect(feeds.answer('Things', 'another-process.2.5', undefined)?.reset).toBe(true);
  expect(feeds.answer('Nothing', undefined, undefined)).toBeUndefined();
});

test('two who fill their copies at once each get all rows, whatever comes and goes meanwhile', () => {
  const {things, feeds, bring, isSame} = rig(1200);
  const first = feeds.answer('Things', undefined, undefined);
  things.deleteObject('t3');
  // Another reader fills its copy.
  bring();
  isSame();
  const copy = new Map(JSON.parse(first?.rows ?? '[]') as [string, unknown][]);
  let last = first;
  while (last?.next !== undefined) {
    last = feeds.answer('Things', undefined, last.next);
    if (last?.reset) copy.clear();
    for (const [key, value] of JSON.parse(last?.rows ?? '[]') as [string, unknown][]) copy.set(key, value);
  }
  const after = feeds.answer('Things', last?.since, undefined);
  for (const key of after?.gone ?? []) copy.delete(key);
  expect([...copy.keys()].sort()).toEqual(
    things
      .list()
      .map(one => one.metadata.name)
      .sort(),
  );
});

test('pieces of a collection that has been made anew begin again', () => {
  const {engine, things, feeds} = rig(700);
  const first = feeds.answer('Things', undefined, undefined);
  things.stop();
  newStaticCollection<Thing>(engine, [thing('other')], {name: 'Things'});
  expect(feeds.answer('Things', undefined, first?.next)).toMatchObject({
    reset: true,
    rows: JSON.stringify([['other', thing('other')]]),
  });
});

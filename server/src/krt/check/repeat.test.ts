// Repeats: a formula over the caller's own rows.
import {expect, test} from 'vitest';
import {createEngine} from '../host/create-engine.ts';
import {newCollection, newManyCollection, newSingleton} from '../kinds/derived-collection.ts';
import {newIndex} from '../kinds/indexes.ts';
import {mapCollection} from '../kinds/map.ts';
import {joinWithMergeCollection} from '../kinds/merge-join.ts';
import {newStaticCollection} from '../kinds/static-collection.ts';
import {newStatusCollection} from '../kinds/status.ts';
import {filterGeneric, filterLabel} from '../query/filter.ts';
import {fetch} from '../run/fetch.ts';
import {type AskedFetch, formulaText, groupsOf, repeat, repeatView} from './repeat.ts';

interface Pod {
  key: string;
  labels: Record<string, string>;
}

function rig() {
  const engine = createEngine();
  const pods = newStaticCollection<Pod>(engine, [{key: 'a', labels: {app: 'x'}}], {
    name: 'pods',
    key: p => p.key,
    labels: p => p.labels,
  });
  const wants = newStaticCollection<Pod>(engine, [], {name: 'wants', key: p => p.key});
  const counts = newCollection(
    wants,
    (ctx, want: Pod) => {
      if (want.key === 'bad') throw new Error('no such thing');
      return {key: want.key, found: fetch(ctx, pods, filterLabel(want.labels)).map(p => p.key)};
    },
    {name: 'counts', key: c => c.key},
  );
  return {engine, pods, wants, counts};
}

test('[C7] a repeat runs the formula over the rows it is given and changes nothing', () => {
  const {engine, counts, pods} = rig();
  let traces = 0;
  engine.onTrace(() => traces++);
  const asked: AskedFetch[] = [];
  const given: Pod[] = [{key: 'other', labels: {app: 'y'}}];
  const repeated = repeat(counts, {key: 'w', labels: {app: 'y'}}, fetched => {
    asked.push(fetched);
    return given.filter(pod => fetched.matches(pod.key, pod));
  });
  expect(repeated).toEqual({items: [{key: 'w', item: {key: 'w', found: ['other']}}], discarded: false});
  expect(asked.map(a => [a.collection, a.at, a.filter, a.opaque])).toEqual([
    ['pods', 0, 'labels app=y', false],
  ]);
  expect(asked[0]?.test({key: 'a', labels: {app: 'x'}})).toMatchObject([{matches: false, found: {app: 'x'}}]);
  expect([traces, counts.list().length, pods.list().length]).toEqual([0, 0, 1]);
});

test('[C7] a repeat that throws says so, and sources have nothing to repeat', () => {
  const {counts, pods} = rig();
  expect(repeat(counts, {key: 'bad', labels: {}}, () => [])).toEqual({
    items: [],
    discarded: false,
    error: 'no such thing',
  });
  expect(repeat(pods, {}, () => [])).toBeUndefined();
  expect(formulaText(pods)).toBeUndefined();
  expect(formulaText(counts)).toContain('no such thing');
});

test('[C7] a fetch by a function is told apart from one by words', () => {
  const {engine, pods, wants} = rig();
  const odd = newCollection(
    wants,
    (ctx, want: Pod) => ({
      key: want.key,
      n: fetch(
        ctx,
        pods,
        filterGeneric(p => p === want),
      ).length,
    }),
    {name: 'odd', key: o => o.key},
  );
  const opaque: boolean[] = [];
  repeat(odd, {key: 'w', labels: {}}, asked => {
    opaque.push(asked.opaque);
    return [];
  });
  expect(opaque).toEqual([true]);
  expect(engine).toBeDefined();
});

test('[C7] merges, maps, indexes and statuses can be repeated, too', () => {
  const {pods, wants} = rig();
  const merged = joinWithMergeCollection(
    [pods, wants],
    items => ({...(items[0] as Pod), labels: {n: `${items.length}`}}),
    {
      name: 'merged',
      key: p => p.key,
    },
  );
  expect(repeatView(merged, [{key: 'a', labels: {}}])).toEqual({item: {key: 'a', labels: {n: '1'}}});
  expect(repeatView(merged, [])).toEqual({});
  const mapped = mapCollection(pods, p => ({key: p.key, upper: p.key.toUpperCase()}), {
    name: 'mapped',
    key: p => p.key,
  });
  expect(repeatView(mapped, [{key: 'a', labels: {}}])).toEqual({item: {key: 'a', upper: 'A'}});
  const byApp = newIndex(pods, 'app', (p: Pod) => [p.labels.app ?? '']).asCollection({name: 'byApp'});
  expect(groupsOf(byApp, {key: 'z', labels: {app: 'q'}})).toEqual(['q']);
  expect(groupsOf(pods, {})).toBeUndefined();
  const [, rows] = newStatusCollection(pods, (_ctx, p: Pod) => [`saw ${p.key}`, {key: p.key}], {
    name: 'rows',
    key: r => r.key,
  });
  expect(repeat(rows, {key: 'p', labels: {}}, () => [])).toMatchObject({
    status: 'saw p',
    items: [{key: 'p'}],
  });
});

test('[C5] what comes to nothing when it is repeated gives no items, whatever it is', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<{key: string}>(engine, [{key: 'a'}]);
  const many = newManyCollection(items, (_, item) => [item]);
  expect(repeat(many, {key: 'a'}, () => [], {formula: () => null})).toEqual({items: [], discarded: false});
  const mapped = mapCollection(items, item => item);
  expect(repeatView(mapped, [{key: 'a'}], () => null)).toEqual({});
  const alone = newSingleton(engine, () => 'x');
  const seen = repeat(alone, {key: 'a'}, () => [], {formula: (_, item) => `input ${item}`});
  expect(seen?.items.map(({item}) => item)).toEqual(['input null']);
});

test('[C7] [B7] a map or a merge that writes is refused in a repeat as in its turn', () => {
  const {pods, wants} = rig();
  const writes = <T>(item: T) => {
    wants.updateObject({key: 'written', labels: {}});
    return item;
  };
  for (const view of [mapCollection(pods, writes), joinWithMergeCollection([pods], ([pod]) => writes(pod))]) {
    expect(repeatView(view, pods.list())?.error).toContain('must not write');
  }
  expect(wants.list()).toEqual([]);
});

import {expect, test} from 'vitest';
import {
  describeFilters,
  type Filter,
  fetch,
  filterGeneric,
  filterIndex,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterObjectName,
  filterSelects,
  filterSelectsNonEmpty,
  newIndex,
  newSingleton,
  newStaticCollection,
} from '../index.ts';
import {reader, rig, selecting, type Thing, thing} from '../testing/objects.ts';

const selected = (filter: Filter) => {
  const {source, found} = reader((ctx, all) => fetch(ctx, all, filter));
  for (const t of [
    selecting('none'),
    selecting('empty', {}),
    selecting('x', {app: 'x'}),
    selecting('xy', {app: 'x', t: 'y'}),
  ]) {
    source.updateObject(t);
  }
  return found();
};

test('[F4] F-12 F-13 what labels select', () => {
  expect(selected(filterSelects({app: 'x', z: '1'}))).toEqual(['empty', 'none', 'x']);
  expect(selected(filterSelectsNonEmpty({app: 'x', t: 'y'}))).toEqual(['x', 'xy']);
  expect(selected(filterSelects(undefined))).toEqual(['empty', 'none']);
  expect(selected(filterSelects({}))).toEqual(['empty', 'none']);
  expect(selected(filterSelectsNonEmpty(undefined))).toEqual([]);
  expect(selected(filterLabel(undefined))?.length).toBe(4);
  expect(selected(filterLabel({}))?.length).toBe(4);
  expect(selected(filterKeys())).toEqual([]);
});

test('[K4] only a selector of another type throws, and a change of it heals the run', () => {
  const {source, found, traces} = reader((ctx, all) => fetch(ctx, all, filterSelects({app: 'x'})));
  source.updateObject({...thing('bad'), spec: {selector: 7 as never}});
  expect(traces().at(-1)?.runs[0]).toMatchObject({
    outcome: 'failed',
    error: expect.stringMatching(/selector/),
  });
  source.updateObject(selecting('bad', {app: 'x'}));
  expect(found()).toEqual(['bad']);
});

test('[F8] filters say themselves in words', () => {
  const all = rig();
  const byIP = newIndex(newStaticCollection<Thing>(all.engine, []), 'byIP', () => []);
  const words: [Filter[], string][] = [
    [[], 'all'],
    [[filterKey('a/b')], 'key a/b'],
    [[filterObjectName({name: 'b', namespace: 'a'})], 'key a/b'],
    [[filterKeys('a/b', 'a/c')], 'keys a/b, a/c'],
    [[filterNamespace('a'), filterLabel({tier: 'db', app: 'x'})], 'namespace a and labels app=x,tier=db'],
    [[filterSelects({app: 'x'})], 'selects {app=x}'],
    [[filterSelectsNonEmpty({app: 'x'})], 'selects non-empty {app=x}'],
    [[filterIndex(byIP, '10.0.0.1')], 'index byIP = 10.0.0.1'],
    [
      [
        filterGeneric(function big() {
          return true;
        }),
      ],
      'generic big',
    ],
  ];
  for (const [filters, text] of words) expect(describeFilters(...filters)).toBe(text);
});

test('[F9] an indexable filter looks only at what may match, and its change finds only who asked', () => {
  const all = rig();
  const source = newStaticCollection<Thing>(
    all.engine,
    Array.from({length: 200}, (_, i) => thing(`n${i % 2}/a${i}`, 0, {app: `app${i}`, tier: 'db'})),
    {name: 'source'},
  );
  newSingleton(all.engine, ctx => ({n: fetch(ctx, source, filterLabel({tier: 'db', app: 'app7'})).length}));
  const record = all.traces().at(-1)?.runs[0]?.fetches[0];
  expect(record).toMatchObject({
    matched: 1,
    scanned: 1,
    via: {kind: 'index', name: 'labels'},
    keys: ['n1/a7'],
  });
});

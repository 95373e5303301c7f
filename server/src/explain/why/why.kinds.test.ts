// Why, for the kinds of collections and causes that the shipped graph lacks.
import type {Why, WhyNot} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import {
  createTestGraphHost,
  type HostTestObject,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';
import {
  type Collection,
  fetch,
  filterKey,
  filterLabel,
  type HandlerContext,
  mapCollection,
  newCollection,
  newManyFromNothing,
  newRecomputeTrigger,
  newStatic,
  newStaticCollection,
  newStatusCollection,
  newSyncLatch,
} from '../../krt/index.ts';

interface Setting extends HostTestObject {
  n: number;
}

const named = (name: string, n = 0): Setting => ({metadata: {name, labels: {app: 'a'}}, n});

function everyKind() {
  const held = {
    trigger: (): void => {},
    level: (_: number): void => {},
    sync: (): void => {},
    replace: (): void => {},
    reads: false,
  };
  const r = createTestGraphHost({
    sources: ['Settings', 'Targets'],
    build: (engine, source) => {
      const settings = source('Settings') as Collection<Setting>;
      const targets = source('Targets') as Collection<Setting>;
      const trigger = newRecomputeTrigger(engine);
      const level = newStatic<{level: number}>(engine, {level: 1}, {name: 'Config'});
      const latch = newSyncLatch(engine);
      const late = newStaticCollection<Setting>(engine, [], {name: 'Late', synced: latch});
      const results = newCollection(
        settings,
        (ctx: HandlerContext, {metadata, n}) => {
          trigger.markDependant(ctx);
          const [config] = fetch(ctx, level.asCollection());
          if (held.reads) fetch(ctx, late, filterKey('x'));
          return {metadata, v: n * (config?.level ?? 0)};
        },
        {name: 'Results'},
      );
      newCollection(
        settings,
        (ctx: HandlerContext, {metadata}) => ({
          metadata,
          read: fetch(ctx, results, filterKey(metadata.name)).map(({v}) => v),
        }),
        {name: 'Readers'},
      );
      newStatusCollection(
        settings,
        (ctx: HandlerContext, {metadata}) => [
          {count: fetch(ctx, targets, filterLabel({app: 'a'})).length},
          {metadata},
        ],
        {name: 'Stat'},
      );
      mapCollection(settings, ({metadata, n}) => ({metadata, twice: n * 2}), {name: 'Mapped'});
      newManyFromNothing(engine, ctx => fetch(ctx, targets).map(t => ({key: `many-${t.metadata.name}`})), {
        name: 'Many',
        key: row => row.key,
      });
      held.trigger = () => trigger.triggerRecomputation();
      held.level = now => level.set({level: now});
      held.sync = () => latch.markSynced();
      held.replace = () => results.replaceFormula((_, {metadata}) => ({metadata, v: -1}));
    },
  });
  r.sync();
  r.write({Settings: [named('a', 1)], Targets: [named('t')]});
  return {r, held};
}

const why = (r: TestGraphHost, collection: string, key: string, run?: string) =>
  r.ask<Why>({ask: 'why', collection, key, ...(run === undefined ? {} : {run})});

test('a trigger, a static value and a replaced formula are named as what they are', () => {
  const {r, held} = everyKind();
  held.trigger();
  expect(why(r, 'Results', 'a', 'latest').sentence).toBe(
    'Result a was recomputed and stayed equal because RecomputeTrigger was triggered.',
  );
  held.level(3);
  expect(why(r, 'Results', 'a').sentence).toBe(
    'Result a changed because Config static changed level from 1 to 3 (matched fetch(Config, all)).',
  );
  held.replace();
  const {sentence, causes} = why(r, 'Results', 'a');
  expect(sentence).toBe('Result a changed because its formula was replaced; its input is Setting a.');
  expect(causes.map(h => h.text ?? h.kind)).toEqual(['run', 'the formula of Results was set', 'write']);
  expect(why(r, 'Readers', 'a').sentence).toBe(
    'Reader a changed because Result a changed v from 3 to -1 (matched fetch(Results, key a)); the first cause is the new formula of Results.',
  );
});

test('a map follows its part, and a collection from nothing what it fetched', () => {
  const {r} = everyKind();
  r.write({Settings: [named('a', 5)], Targets: [named('t2')]});
  expect(why(r, 'Mapped', 'a').sentence).toBe(
    'Mapped a changed twice from 2 to 10 because its part Setting a changed n from 1 to 5.',
  );
  expect(why(r, 'Many', 'many-t2').sentence).toBe(
    'Many many-t2 was added because Target t2 was added (matched fetch(Targets, all)).',
  );
  // The run that added one row left the other unchanged.
  expect(why(r, 'Many', 'many-t', 'latest').outcome).toBe('equal');
  expect(why(r, 'Many', 'many-t')).toMatchObject({outcome: 'added', equalSince: 1});
});

test('a status row goes back to the run that wrote it, and that run says so, also when it stayed equal', () => {
  const {r} = everyKind();
  r.write({Targets: [named('t2')]});
  const status = why(r, 'Stat/status', 'a');
  expect(status.sentence).toBe(
    'Stat/status a changed status.count from 1 to 2 with the run of Stat a because Target t2 was added (matched fetch(Targets, labels app=a)).',
  );
  expect(status.causes.map(h => h.kind)).toEqual(['change', 'run', 'write']);
  const {effects, outcome} = why(r, 'Stat', 'a', 'latest');
  expect(outcome).toBe('equal');
  expect(effects).toMatchObject([{collection: 'Stat/status', key: 'a', outcome: 'changed'}]);
  r.write({Settings: ['a']});
  expect(why(r, 'Stat/status', 'a').sentence).toBe(
    'Stat/status a was deleted because its input Setting a was deleted.',
  );
});

test('a run that waits says for whom, and what woke it when the wait was over', () => {
  const {r, held} = everyKind();
  held.reads = true;
  r.write({Settings: [named('a', 6)]});
  const waiting = why(r, 'Results', 'a');
  expect(waiting.sentence).toBe(
    'Result a is suspended: it reads Late, and Late is not synced. It ran because its input Setting a changed n from 1 to 6.',
  );
  // The run was cut short, so its later reads are unknown.
  expect(waiting.causes.at(-1)?.changes).toEqual([{path: 'n', old: 1, new: 6}]);
  expect(waiting.effects).toMatchObject([{stopped: {reason: 'suspended', text: 'waits for Late'}}]);
  const not = r.ask<WhyNot>({
    ask: 'why-not',
    collection: 'Results',
    key: 'a',
    expected: {collection: 'Settings', key: 'a'},
  });
  expect([not.verdict, not.sentence]).toEqual(['waiting', 'Result a waits for Late (not synced).']);
  held.sync();
  expect(why(r, 'Results', 'a').sentence).toBe(
    'Result a changed because Late synced, 0 objects; its input is Setting a.',
  );
});

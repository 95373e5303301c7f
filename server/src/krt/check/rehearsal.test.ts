// A rehearsal gives the same result as a real collection over the same rows, fetch by fetch.
import {describe, expect, it} from 'vitest';
import {
  createEngine,
  engineStats,
  type Filter,
  fetch,
  fetchOne,
  filterGeneric,
  filterIndex,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterSelects,
  filterSelectsNonEmpty,
  type HandlerContext,
  newCollection,
  newIndex,
  newStaticCollection,
  newSyncLatch,
  Rehearsal,
} from '../index.ts';

interface Thing {
  metadata: {name: string; namespace: string; labels: Record<string, string>};
  spec: {selector?: Record<string, string>};
}

const thing = (i: number): Thing => ({
  metadata: {
    name: `t${i}`,
    namespace: `ns${i % 3}`,
    labels: {app: `a${i % 4}`, ...(i % 2 ? {odd: 'yes'} : {})},
  },
  spec: i % 5 === 0 ? {} : {selector: {app: `a${(i * 3) % 4}`}},
});

function makeGraph() {
  const engine = createEngine({checks: 'off'});
  const things = newStaticCollection(
    engine,
    Array.from({length: 40}, (_, i) => thing(i)),
    {name: 'Things'},
  );
  const byApp = newIndex(things, 'app', one => [one.metadata.labels.app ?? '']);
  const asks = {
    all: (ctx: HandlerContext) => fetch(ctx, things),
    key: (ctx: HandlerContext, one: Thing) => fetch(ctx, things, filterKey(`ns0/${one.metadata.name}`)),
    keys: (ctx: HandlerContext) => fetch(ctx, things, filterKeys('ns0/t0', 'ns1/t1', 'none')),
    namespace: (ctx: HandlerContext, one: Thing) =>
      fetch(ctx, things, filterNamespace(one.metadata.namespace)),
    labels: (ctx: HandlerContext, one: Thing) => fetch(ctx, things, filterLabel(one.metadata.labels)),
    'no labels': (ctx: HandlerContext) => fetch(ctx, things, filterLabel({})),
    selects: (ctx: HandlerContext, one: Thing) =>
      fetch(ctx, things, filterNamespace(one.metadata.namespace), filterSelects(one.metadata.labels)),
    'selects non-empty': (ctx: HandlerContext, one: Thing) =>
      fetch(ctx, things, filterSelectsNonEmpty(one.metadata.labels)),
    // More query shapes than names alone can distinguish, with equal values in every position.
    'labels of many names': (ctx: HandlerContext, one: Thing) => {
      const {name, labels} = one.metadata;
      const other = Number(name.slice(1)) % 12;
      return fetch(ctx, things, filterLabel(other === 0 ? labels : {[`x${other}`]: 'yes', ...labels}));
    },
    'labels in another order': (ctx: HandlerContext, one: Thing) =>
      fetch(ctx, things, filterLabel({odd: 'yes', app: one.metadata.labels.app ?? ''})),
    'fewer labels than the first time': (ctx: HandlerContext, one: Thing) => {
      const {app = ''} = one.metadata.labels;
      return fetch(ctx, things, filterLabel(one.metadata.name === 't0' ? {app, odd: 'yes'} : {app}));
    },
    'now this, now that': (ctx: HandlerContext, one: Thing) => {
      const {name, namespace, labels} = one.metadata;
      const filters = [
        filterNamespace(namespace),
        filterKey(`ns0/${name}`),
        filterKeys('ns0/t0', `${namespace}/${name}`),
        filterLabel({app: labels.app ?? ''}),
        filterLabel({odd: labels.app ?? ''}),
        // The same value under another name has another answer.
        filterLabel({odd: 'yes'}),
        filterLabel({none: 'yes'}),
        filterSelects({app: namespace}),
      ];
      return fetch(ctx, things, filters[Number(name.slice(1)) % filters.length] as Filter);
    },
    index: (ctx: HandlerContext, one: Thing) =>
      fetch(ctx, things, filterIndex(byApp, one.metadata.labels.app ?? '')),
    generic: (ctx: HandlerContext, one: Thing) =>
      fetch(
        ctx,
        things,
        filterGeneric((other: Thing) => other.metadata.name > one.metadata.name),
      ),
  };
  return {engine, things, asks};
}

const names = (found: readonly Thing[]) => found.map(({metadata}) => metadata.name).sort();

describe('a rehearsal', () => {
  const {engine, things, asks} = makeGraph();
  for (const [ask, formula] of Object.entries(asks)) {
    it(`finds what a run finds: ${ask}`, () => {
      const real = new Map<string, {fetches: readonly object[]}>();
      const stop = engine.onTrace(({runs}) => {
        for (const run of runs) real.set(run.input, run);
      });
      const rows = newCollection(
        things,
        (ctx, one) => ({key: one.metadata.name, found: names(formula(ctx, one))}),
        {
          name: 'Draft',
          key: row => row.key,
        },
      );
      stop();
      const rehearsal = new Rehearsal(engine, 'Draft');
      for (const one of things.list()) {
        const key = things.getKey(`${one.metadata.namespace}/${one.metadata.name}`) === one;
        expect(key).toBe(true);
        const input = `${one.metadata.namespace}/${one.metadata.name}`;
        const {value, error, fetches} = rehearsal.run(input, ctx => names(formula(ctx, one)));
        expect(error).toBeUndefined();
        expect(value).toEqual(rows.getKey(one.metadata.name)?.found);
        // Everything except the number of scanned items: a run whose neighbour made the same fetch scans none.
        const bare = (record: object) => ({
          ...record,
          scanned: 0,
          keys: [...(record as {keys: string[]}).keys].sort(),
        });
        expect(fetches.map(({record}) => bare(record))).toEqual(real.get(input)?.fetches.map(bare));
        for (const {record} of fetches) expect(record.scanned).toBeGreaterThanOrEqual(record.matched);
      }
      rows.stop();
    });
  }

  it('has every fetch of a run, in order, however many', () => {
    const {engine, things} = makeGraph();
    const rehearsal = new Rehearsal(engine, 'Draft');
    const keys = Array.from({length: 20_000}, (_, i) => `k${i % 3}`);
    for (const count of [1, 2, 3, keys.length]) {
      const asked = keys.slice(0, count);
      const {fetches} = rehearsal.run('a', ctx => {
        for (const key of asked) fetch(ctx, things, filterKey(key));
      });
      expect(fetches.map(({record}) => record.filter)).toEqual(asked.map(key => `key ${key}`));
    }
  });

  it('leaves nothing behind, and a later one sees what has changed since', () => {
    const {engine, things, asks} = makeGraph();
    const before = engineStats(engine);
    const first = new Rehearsal(engine, 'Draft');
    const one = thing(0);
    const count = (rehearsal: Rehearsal) =>
      (rehearsal.run('ns0/t0', ctx => asks['selects non-empty'](ctx, one).length).value as number) ?? -1;
    const then = count(first);
    expect(engineStats(engine)).toEqual(before);
    things.updateObject({...thing(100), spec: {selector: {app: 'a0'}}});
    expect(count(new Rehearsal(engine, 'Draft'))).toBe(then + 1);
  });

  it('says what it waits for, what was thrown, what was discarded; a swallowed wait is one', () => {
    const engine = createEngine({checks: 'off'});
    const latch = newSyncLatch(engine);
    const late = newStaticCollection<Thing>(engine, [thing(1)], {name: 'Late', synced: latch});
    const rehearsal = new Rehearsal(engine, 'Draft');
    const swallowed = rehearsal.run('a', ctx => {
      try {
        return fetch(ctx, late);
      } catch {
        return 'nothing';
      }
    });
    expect(swallowed).toMatchObject({value: undefined, error: undefined, waitingFor: 'Late'});
    latch.markSynced();
    const broken = new Error('no');
    expect(
      rehearsal.run('a', () => {
        throw broken;
      }),
    ).toMatchObject({error: broken, waitingFor: undefined, discarded: false});
    expect(rehearsal.run('a', ctx => ctx.discardResult())).toMatchObject({discarded: true});
    let kept: HandlerContext | undefined;
    rehearsal.run('a', ctx => {
      kept = ctx;
    });
    expect(() => fetchOne(kept as HandlerContext, late)).toThrow('after it had returned');
    const other = newStaticCollection<Thing>(createEngine(), [], {name: 'Other'});
    expect(rehearsal.run('a', ctx => fetch(ctx, other)).error).toMatchObject({code: 'foreign-collection'});
  });
});

// One suite over every kind of collection: all kinds follow the same rules.
import {describe, expect, test} from 'vitest';
import {
  type Change,
  fetch,
  filterKey,
  newCollection,
  newIndex,
  newSingleton,
  newStaticCollection,
} from '../index.ts';
import {fileRigKinds} from '../testing/file-rigs.ts';
import {type Pair, type Rig, type RigKind, rigKinds} from '../testing/rigs.ts';

/** The calls of a handler, one line for each: `add a=1, delete b`. */
function follow(rig: Rig, replay = true): string[] {
  const calls: string[] = [];
  rig.collection.registerBatch(changes => {
    calls.push(said(rig, changes));
  }, replay);
  return calls;
}

function said(rig: Rig, changes: readonly Change<unknown>[]): string {
  return changes
    .map(({event, key, new: next}) =>
      next === undefined ? `${event} ${key}` : `${event} ${key}=${rig.read(next)}`,
    )
    .sort()
    .join(', ');
}

function listed(rig: Rig): string[] {
  return rig.collection
    .list()
    .map(row => String(rig.read(row)))
    .sort();
}

function suite(kind: RigKind): void {
  test('[CO1] a row comes, changes and goes; list, getKey and the handler agree', () => {
    const rig = kind.create();
    const calls = follow(rig);
    rig.put('a', 1);
    expect(listed(rig)).toEqual(['1']);
    expect(rig.read(rig.collection.getKey('a'))).toBe(1);
    rig.put('a', 2);
    expect(rig.read(rig.collection.getKey('a'))).toBe(2);
    rig.remove('a');
    expect(rig.collection.getKey('a')).toBeUndefined();
    expect(rig.collection.list()).toEqual([]);
    expect(calls).toEqual(['add a=1', 'update a=2', 'delete a']);
  });

  test('[CO2] an update carries what was announced before as its old version', () => {
    const rig = kind.create();
    rig.put('a', 1);
    const seen: [unknown, unknown][] = [];
    rig.collection.register(({old, new: next}) => {
      seen.push([old && rig.read(old), next && rig.read(next)]);
    });
    rig.put('a', 2);
    rig.remove('a');
    expect(seen).toEqual([
      [undefined, 1],
      [1, 2],
      [2, undefined],
    ]);
  });

  test('[CO3] list gives a fresh array each time', () => {
    const rig = kind.create();
    rig.put('a', 1);
    rig.collection.list().length = 0;
    expect(listed(rig)).toEqual(['1']);
  });

  test('[CO4] a registration replays what is there in one call, before it returns', () => {
    const rig = kind.create();
    rig.put('a', 1);
    expect(follow(rig)).toEqual(['add a=1']);
    expect(follow(rig, false)).toEqual([]);
  });

  test('[CO6] one key for another in one batch is one call with a delete and an add', () => {
    const rig = kind.create();
    rig.put('a', 1);
    const calls = follow(rig, false);
    rig.batch(() => {
      rig.remove('a');
      rig.put('b', 2);
    });
    expect(calls).toEqual(['add b=2, delete a']);
    expect(listed(rig)).toEqual(['2']);
  });

  test('[CO7] what a batch undoes again is not announced', () => {
    const rig = kind.create();
    const calls = follow(rig);
    rig.batch(() => {
      rig.put('a', 1);
      rig.remove('a');
    });
    expect(calls).toEqual([]);
  });

  test('[CO8] a row that goes and comes back in one batch is an update at most', () => {
    const rig = kind.create();
    rig.put('a', 1);
    const calls = follow(rig, false);
    rig.batch(() => {
      rig.remove('a');
      rig.put('a', 2);
    });
    expect(calls).toEqual(['update a=2']);
  });

  test('[CO9] an unregistered handler hears nothing more; unregistering twice is nothing', () => {
    const rig = kind.create();
    let calls = 0;
    const registration = rig.collection.register(() => {
      calls++;
    });
    rig.put('a', 1);
    registration.unregisterHandler();
    registration.unregisterHandler();
    rig.put('a', 2);
    expect(calls).toBe(1);
  });

  test('[CO10] inside a handler the list is what the change leads to', () => {
    const rig = kind.create();
    const seen: string[][] = [];
    rig.collection.register(() => {
      seen.push(listed(rig));
    });
    rig.put('a', 1);
    rig.put('a', 2);
    rig.remove('a');
    expect(seen).toEqual([['1'], ['2'], []]);
  });

  test('[CO11] a handler that changes its array changes nobody else’s', () => {
    const rig = kind.create();
    rig.collection.registerBatch(changes => {
      changes.length = 0;
    }, true);
    const calls = follow(rig);
    rig.put('a', 1);
    expect(calls).toEqual(['add a=1']);
  });

  test('[CO12] a handler may register another one: it gets its replay', () => {
    const rig = kind.create();
    const inner: string[] = [];
    const registration = rig.collection.register(() => {
      if (inner.length > 0) return;
      rig.collection.register(change => {
        inner.push(said(rig, [change]));
      });
    });
    rig.put('a', 1);
    registration.unregisterHandler();
    rig.put('a', 2);
    expect(inner).toEqual(['add a=1', 'update a=2']);
  });

  test('[CO13] a slow handler gets its batches one by one in order and holds up nobody', async () => {
    const rig = kind.create();
    const slow: string[] = [];
    const doors: (() => void)[] = [];
    const registration = rig.collection.registerBatch(changes => {
      slow.push(said(rig, changes));
      return new Promise<void>(resolve => doors.push(resolve));
    }, true);
    const quick = follow(rig);
    rig.put('a', 1);
    rig.put('a', 2);
    rig.remove('a');
    expect(quick).toEqual(['add a=1', 'update a=2', 'delete a']);
    expect(slow).toEqual(['add a=1']);
    for (let opened = 0; opened < 3; opened++) {
      doors[opened]!();
      await new Promise(resolve => setTimeout(resolve, 0));
    }
    expect(slow).toEqual(quick);
    expect(registration.hasSynced()).toBe(true);
  });

  test('[CO14] a registration is synced once its replay has been handled', async () => {
    const rig = kind.create();
    rig.put('a', 1);
    let open = (): void => undefined;
    const registration = rig.collection.registerBatch(
      () =>
        new Promise<void>(resolve => {
          open = resolve;
        }),
      true,
    );
    expect(registration.hasSynced()).toBe(false);
    open();
    expect(await registration.waitUntilSynced()).toBe(true);
    expect(rig.collection.hasSynced()).toBe(true);
    expect(await rig.collection.waitUntilSynced()).toBe(true);
  });

  test('[CO15] a handler that throws is a violation; the others still hear', () => {
    const rig = kind.create();
    rig.collection.register(() => {
      throw new Error('broken');
    });
    const calls = follow(rig);
    rig.put('a', 1);
    expect(calls).toEqual(['add a=1']);
    expect(rig.engine.violations().map(v => v.code)).toContain('handler-failed');
  });

  test('[CO16] it can be the primary input of a derived collection', () => {
    const rig = kind.create();
    const derived = newCollection(rig.collection, (_, row): Pair => ({key: `d${rig.read(row)}`, n: 0}), {
      name: 'derived',
      key: row => row.key,
    });
    rig.put('a', 1);
    expect(derived.list()).toEqual([{key: 'd1', n: 0}]);
    rig.put('a', 2);
    expect(derived.list()).toEqual([{key: 'd2', n: 0}]);
    rig.remove('a');
    expect(derived.list()).toEqual([]);
  });

  test('[CO17] it can be fetched: by key and whole, once a batch', () => {
    const rig = kind.create();
    let runs = 0;
    const sum = newSingleton<Pair>(
      rig.engine,
      ctx => {
        const all = fetch(ctx, rig.collection).reduce((total: number, row) => total + rig.read(row), 0);
        const [a] = fetch(ctx, rig.collection, filterKey('a'));
        return {key: 'sum', n: all * 10 + (a === undefined ? 0 : rig.read(a))};
      },
      {name: 'sum', key: row => row.key},
    );
    rig.engine.onTrace(trace => {
      runs += trace.runs.filter(run => run.collection === 'sum').length;
    });
    rig.put('a', 1);
    expect(sum.get()?.n).toBe(11);
    rig.put('a', 2);
    expect(sum.get()?.n).toBe(22);
    rig.remove('a');
    expect(sum.get()?.n).toBe(0);
    expect(runs).toBe(3);
  });

  test('[CO18] it can be indexed, or says that it cannot', () => {
    const rig = kind.create();
    rig.put('a', 1);
    if (kind.noIndex) {
      expect(() => newIndex(rig.collection, 'parity', () => ['x'])).toThrow(/index/);
      return;
    }
    const index = newIndex(rig.collection, 'parity', row => [rig.read(row) % 2 === 0 ? 'even' : 'odd']);
    expect(index.lookup('odd')).toHaveLength(1);
    rig.put('a', 2);
    expect(index.lookup('odd')).toEqual([]);
    expect(index.lookup('even')).toHaveLength(1);
    rig.remove('a');
    expect(index.lookup('even')).toEqual([]);
  });

  test('[CO19] a diamond over it announces once, with both sides new', () => {
    const rig = kind.create();
    const plain = newCollection(rig.collection, (_, row): Pair => ({key: 'p', n: rig.read(row)}), {
      name: 'plain',
      key: row => row.key,
    });
    const both = newCollection(
      rig.collection,
      (ctx, row): Pair => ({
        key: 'b',
        n: rig.read(row) * 10 + (fetch(ctx, plain, filterKey('p'))[0]?.n ?? 0),
      }),
      {name: 'both', key: row => row.key},
    );
    const seen: number[] = [];
    both.register(change => {
      if (change.new) seen.push(change.new.n);
    });
    rig.put('a', 1);
    rig.put('a', 2);
    expect(seen).toEqual([11, 22]);
  });

  test('[CO20] after stop its rows stay readable and nobody hears of it again', () => {
    const rig = kind.create();
    rig.put('a', 1);
    const calls = follow(rig, false);
    const derived = newCollection(rig.collection, (_, row): Pair => ({key: 'd', n: rig.read(row)}), {
      name: 'derived',
      key: row => row.key,
    });
    rig.collection.stop();
    rig.collection.stop();
    rig.put('a', 2);
    expect(calls).toEqual([]);
    expect(derived.list()).toEqual([{key: 'd', n: 1}]);
    let late = 0;
    rig.collection.register(() => {
      late++;
    });
    rig.put('a', 3);
    expect(late).toBe(0);
    expect(rig.engine.collections().map(c => c.name)).not.toContain(rig.collection.name);
  });

  test('[CO21] it has a name, a number of its own and its metadata', () => {
    const rig = kind.create();
    expect(rig.collection.name).toMatch(/it/);
    expect(rig.collection.uid).toBeGreaterThanOrEqual(2);
    expect(rig.collection.metadata()).toEqual({team: 'network'});
    expect(new Set(rig.engine.collections().map(c => c.uid)).size).toBe(rig.engine.collections().length);
  });

  test('[CO22] reading it inside a formula without fetch is a violation', () => {
    const rig = kind.create();
    const other = newStaticCollection<Pair>(rig.engine, [{key: 'x', n: 1}], {
      name: 'other',
      key: row => row.key,
    });
    newCollection(other, (_, row): Pair => ({key: row.key, n: rig.collection.list().length}), {
      name: 'careless',
      key: row => row.key,
    });
    expect(rig.engine.violations().map(v => v.code)).toContain('untracked-read');
  });

  test('[CO23] a write from a handler is the next batch, after all handlers', () => {
    const rig = kind.create();
    const order: string[] = [];
    rig.collection.registerBatch(changes => {
      order.push(`first ${said(rig, changes)}`);
      if (said(rig, changes) === 'add a=1') rig.put('a', 2);
    }, true);
    rig.collection.registerBatch(changes => {
      order.push(`second ${said(rig, changes)}`);
    }, true);
    rig.put('a', 1);
    expect(order).toEqual(['first add a=1', 'second add a=1', 'first update a=2', 'second update a=2']);
  });
}

function suiteOfMany(kind: RigKind): void {
  test('[CO5] a replay of several rows is one batch, or one call for each with register', () => {
    const rig = kind.create();
    rig.put('a', 1);
    rig.put('b', 2);
    expect(follow(rig)).toEqual(['add a=1, add b=2']);
    const one: string[] = [];
    rig.collection.register(change => {
      one.push(said(rig, [change]));
    });
    expect(one.sort()).toEqual(['add a=1', 'add b=2']);
  });
}

for (const kind of [...rigKinds, ...fileRigKinds]) {
  describe(kind.name, () => {
    suite(kind);
    if (!kind.single) suiteOfMany(kind);
  });
}

import {expect, test} from 'vitest';
import {type Change, createEngine, newStaticCollection, newSyncLatch} from '../index.ts';
import {moody, violated} from '../testing/objects.ts';

const text = (change: Change<string>) => `${change.event}/${change.key}`;
const settled = () => new Promise<void>(resolve => setTimeout(resolve));

function gate(): {promise: Promise<void>; open: () => void} {
  let open = () => {};
  const promise = new Promise<void>(resolve => {
    open = resolve;
  });
  return {promise, open};
}

test('[H1] H-01 register replays every item once', () => {
  const list = newStaticCollection(createEngine(), ['a', 'b']);
  const seen: string[] = [];
  list.register(change => void seen.push(text(change)));
  expect(seen.sort()).toEqual(['add/a', 'add/b']);
});

test('[H1] H-02 registerBatch replays all items in one call', () => {
  const list = newStaticCollection(createEngine(), ['a', 'b']);
  const calls: string[][] = [];
  list.registerBatch(changes => void calls.push(changes.map(text).sort()));
  expect(calls).toEqual([['add/a', 'add/b']]);
});

test('[H1] H-03 without replay there is no call until something changes', () => {
  const list = newStaticCollection(createEngine(), ['a', 'b']);
  const calls: string[][] = [];
  list.registerBatch(changes => void calls.push(changes.map(text)), false);
  expect(calls).toEqual([]);
  list.updateObject('c');
  expect(calls).toEqual([['add/c']]);
});

test('[H2] H-05 H-06 a handler that never returns holds up nobody, and its registration never syncs', async () => {
  const list = newStaticCollection(createEngine(), ['a']);
  const blocked = list.register(() => new Promise<void>(() => {}));
  const seen: string[] = [];
  list.register(change => void seen.push(text(change)));
  for (const item of ['x', 'y', 'z']) list.updateObject(item);
  expect(seen).toEqual(['add/a', 'add/x', 'add/y', 'add/z']);
  const late = list.register(() => {});
  await settled();
  expect([late.hasSynced(), blocked.hasSynced(), list.hasSynced()]).toEqual([true, false, true]);
});

test('[H1] H-07 a handler between two batches hears of every object once', () => {
  const engine = createEngine();
  const list = newStaticCollection<string>(engine, []);
  const seen: string[] = [];
  const add = (prefix: string) =>
    engine.batch(() => {
      for (let i = 0; i < 10; i++) list.updateObject(`${prefix}${i}`);
    });
  add('a');
  list.register(change => void seen.push(text(change)));
  add('b');
  expect(seen.length).toBe(20);
  expect(new Set(seen).size).toBe(20);
});

test('[H1] H-07 a handler registered inside a batch gets what settled, then the batch', () => {
  const engine = createEngine();
  const list = newStaticCollection(engine, ['a']);
  const seen: string[] = [];
  engine.batch(() => {
    list.updateObject('b');
    list.deleteObject('a');
    list.register(change => void seen.push(text(change)));
    expect(seen).toEqual(['add/a']);
  });
  expect(seen.slice(1).sort()).toEqual(['add/b', 'delete/a']);
});

test('[H3] H-08 an unregistered handler hears nothing more, and unregistering twice is nothing', () => {
  const list = newStaticCollection<string>(createEngine(), []);
  const seen: string[] = [];
  const registration = list.register(change => void seen.push(text(change)));
  registration.unregisterHandler();
  registration.unregisterHandler();
  list.updateObject('a');
  expect(seen).toEqual([]);
});

test('[H3] H-09 the backlog goes with the registration', async () => {
  const list = newStaticCollection<string>(createEngine(), []);
  const {promise, open} = gate();
  const seen: string[] = [];
  const registration = list.register(change => {
    seen.push(text(change));
    return promise;
  });
  for (const item of ['1', '2', '3', '4', '5']) list.updateObject(item);
  registration.unregisterHandler();
  open();
  await settled();
  expect(seen).toEqual(['add/1']);
});

test('[H4] H-11 H-12 a registration on an unsynced collection syncs with it, unless it is gone', () => {
  const engine = createEngine();
  const latch = newSyncLatch(engine);
  const list = newStaticCollection<string>(engine, [], {synced: latch});
  const calls: unknown[] = [];
  const gone = list.register(change => void calls.push(change));
  const kept = list.register(change => void calls.push(change));
  gone.unregisterHandler();
  expect(kept.hasSynced()).toBe(false);
  latch.markSynced();
  expect(kept.hasSynced()).toBe(true);
  expect(calls).toEqual([]);
});

test('[H4] H-13 H-14 S-10 initial changes must be handled first, later ones need not', async () => {
  const engine = createEngine();
  const latch = newSyncLatch(engine);
  const list = newStaticCollection<string>(engine, [], {synced: latch});
  const gates = [gate(), gate(), gate()];
  const started: string[] = [];
  const registration = list.register(change => {
    started.push(change.key);
    return gates[started.length - 1]?.promise;
  });
  list.updateObject('a');
  list.updateObject('b');
  latch.markSynced();
  list.updateObject('c');
  gates[0]?.open();
  await settled();
  expect([started, registration.hasSynced()]).toEqual([['a', 'b'], false]);
  gates[1]?.open();
  await settled();
  expect([started, registration.hasSynced()]).toEqual([['a', 'b', 'c'], true]);
});

test('[H4] H-15 while the replay is being handled the registration is not synced', async () => {
  const list = newStaticCollection(createEngine(), ['a']);
  const seen: boolean[] = [];
  const registration = list.register(async () => {
    await settled();
    seen.push(registration.hasSynced());
  });
  expect(await registration.waitUntilSynced()).toBe(true);
  expect(seen).toEqual([false]);
});

test('[B3] H-17 two updates of one key: two calls in two batches, the net change in one', () => {
  const engine = createEngine();
  const list = newStaticCollection(engine, [{k: 'a', n: 0}], {key: o => o.k});
  const calls: unknown[] = [];
  list.registerBatch(changes => void calls.push(changes.map(c => [c.event, c.old?.n, c.new?.n])), false);
  list.updateObject({k: 'a', n: 1});
  list.updateObject({k: 'a', n: 2});
  expect(calls.splice(0)).toEqual([[['update', 0, 1]], [['update', 1, 2]]]);
  engine.batch(() => {
    list.updateObject({k: 'a', n: 3});
    list.updateObject({k: 'a', n: 4});
  });
  expect(calls).toEqual([[['update', 2, 4]]]);
});

test('[H6] H-18 each handler has its own array', () => {
  const list = newStaticCollection<string>(createEngine(), []);
  const lengths: number[] = [];
  list.registerBatch(changes => {
    changes.length = 0;
  }, false);
  list.registerBatch(changes => void lengths.push(changes.length), false);
  list.updateObject('a');
  expect(lengths).toEqual([1]);
});

test('[Y3] H-19 waitUntilSynced is false when the collection is stopped or the signal fires first', async () => {
  const engine = createEngine();
  const list = newStaticCollection<string>(engine, [], {synced: newSyncLatch(engine)});
  const abort = new AbortController();
  const aborted = list.waitUntilSynced(abort.signal);
  const stopped = list.waitUntilSynced();
  abort.abort();
  list.stop();
  expect(await Promise.all([aborted, stopped, list.waitUntilSynced()])).toEqual([false, false, false]);
});

test('[B1] H-20 inside a handler a deleted key is absent', () => {
  const list = newStaticCollection(createEngine(), ['a', 'b']);
  const seen: string[][] = [];
  list.registerBatch(() => void seen.push(list.list()), false);
  list.deleteObject('a');
  expect(seen).toEqual([['b']]);
});

test('[H1] H-21 a handler may register another one, which gets its replay', () => {
  const list = newStaticCollection<string>(createEngine(), []);
  const inner: string[] = [];
  let once = true;
  list.registerBatch(() => {
    if (once) list.register(change => void inner.push(text(change)));
    once = false;
  }, false);
  list.updateObject('a');
  list.updateObject('b');
  expect(inner).toEqual(['add/a', 'add/b']);
});

test('[H5] a handler that throws or rejects is a violation until it works again; the others are called', async () => {
  const engine = createEngine();
  const list = newStaticCollection<string>(engine, [], {name: 'list'});
  const handler = moody();
  const seen: string[] = [];
  list.register(handler.call);
  list.register(change => void seen.push(text(change)));
  list.updateObject('a');
  expect(violated(engine)).toEqual(['handler-failed list call']);
  expect(seen).toEqual(['add/a']);
  handler.unwell = false;
  list.updateObject('b');
  expect(violated(engine)).toEqual([]);
  list.register(async function rejecting() {
    throw new Error('later');
  });
  await settled();
  expect(violated(engine)).toEqual(['handler-failed list rejecting']);
});

test('[H5] a handler whose name throws, or is another each time, harms nobody and heals', () => {
  const engine = createEngine({checks: 'off'});
  const list = newStaticCollection<string>(engine, [], {name: 'list'});
  let names = 0;
  const nameless: (() => string)[] = [
    () => {
      throw new Error('no name');
    },
    () => `name ${++names}`,
  ];
  for (const get of nameless) {
    const failing = (change: Change<string>) => {
      if (change.key === 'x') throw new Error('x');
    };
    list.register(Object.defineProperty(failing, 'name', {get}));
  }
  const seen: string[] = [];
  list.register(change => void seen.push(text(change)));
  list.updateObject('x');
  expect(seen).toEqual(['add/x']);
  expect(violated(engine)).toEqual(['handler-failed list handler', 'handler-failed list name 1']);
  list.updateObject('y');
  expect(violated(engine)).toEqual([]);
});

// Folders that a run watches exist as long as its row, like collections that it creates.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  fetch,
  newCollection,
  newFileCollection,
  newFolderWatch,
  newStaticCollection,
} from '../index.ts';
import {MemoryFolder} from '../testing/file-rigs.ts';

interface Item {
  key: string;
  /** The watched folder, if any. */
  at?: string;
  fails?: boolean;
}

function rig(checks: 'off' | 'all' = 'off') {
  const folder = new MemoryFolder();
  folder.files.set('a/1.yaml', 'x');
  folder.files.set('b/1.yaml', 'y');
  const engine = createEngine({reader: folder.reader, clock: folder.clock, checks});
  const items = newStaticCollection<Item>(engine, [{key: 'k', at: 'a'}]);
  const rows: Collection<{key: string; found: readonly string[]}> = newCollection(
    items,
    (ctx, {key, at, fails}) => {
      if (at === undefined) return {key, found: []};
      const watch = newFolderWatch(engine, `${at}/`, text => text.split(','));
      const found = [...fetch(ctx, newFileCollection(watch))];
      if (fails === true) throw new Error('no luck');
      return {key, found};
    },
  );
  return {folder, engine, items, rows, found: () => rows.getKey('k')?.found};
}

test.each(['off', 'all'] as const)(
  '[G3, L1] a folder watched in a run is watched once, checks %s',
  checks => {
    const {folder, items, found} = rig(checks);
    expect([found(), folder.watchers]).toEqual([['x'], 1]);
    folder.write('a/1.yaml', 'x,z');
    folder.pass(250);
    expect([found(), folder.watchers]).toEqual([['x', 'z'], 1]);
    items.updateObject({key: 'k', at: 'b'});
    expect([found(), folder.watchers]).toEqual([['y'], 1]);
    folder.write('a/1.yaml', 'w');
    expect(folder.timers).toBe(0);
  },
);

test('[G3] the watch ends when its input comes again without it, or goes', () => {
  const {folder, items, found} = rig();
  items.updateObject({key: 'k'});
  expect([found(), folder.watchers]).toEqual([[], 0]);
  items.updateObject({key: 'k', at: 'b'});
  expect(folder.watchers).toBe(1);
  items.deleteObject('k');
  expect(folder.watchers).toBe(0);
});

test('[G3] the watch ends with the collection of its run', () => {
  const {folder, rows} = rig();
  rows.stop();
  expect(folder.watchers).toBe(0);
});

test('[G3] a run that fails hears of what it watched until its input runs again', () => {
  const {folder, items, rows, found} = rig();
  items.updateObject({key: 'k', at: 'b', fails: true});
  expect([found(), rows.rowState('k')?.outcome, folder.watchers]).toEqual([['x'], 'failed', 2]);
  items.updateObject({key: 'k', at: 'b'});
  expect([found(), folder.watchers]).toEqual([['y'], 1]);
});

test('[G3] a run that is taken back watches nothing', () => {
  const {folder, engine, items} = rig();
  const late: {it?: Collection<Item>} = {};
  const others = newCollection(items, (ctx, item) => {
    newFolderWatch(engine, 'b/', text => [text]);
    return late.it === undefined ? item : {...item, n: fetch(ctx, late.it).length};
  });
  late.it = newCollection(items, (_, item) => ({...item}));
  for (let i = 0; i < 3; i++) late.it = newCollection(late.it, (_, item) => ({...item}));
  expect(folder.watchers).toBe(2);
  items.updateObject({key: 'k', at: 'b'});
  expect(folder.watchers).toBe(2);
  others.stop();
  expect(folder.watchers).toBe(1);
});

test('[G3, L1] a folder that a run cannot read is not watched', () => {
  const {folder, engine, items} = rig();
  items.updateObject({key: 'k'});
  folder.files.set('c/1.yaml', '!');
  const rows = newCollection(items, () => {
    newFolderWatch(engine, 'c/', () => {
      throw new Error('not yaml');
    });
    return 'x';
  });
  expect([rows.rowState('k')?.outcome, folder.watchers]).toEqual(['failed', 0]);
  items.updateObject({key: 'k', fails: true});
  expect(folder.watchers).toBe(0);
});

test('[Z3] a watch that its run has ended is not ended again with the engine', () => {
  const {folder, engine} = rig();
  engine.stop();
  expect(folder.watchers).toBe(0);
});

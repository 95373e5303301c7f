import {expect, test} from 'vitest';
import {
  type Clock,
  createEngine,
  type FileReader,
  newFileCollection,
  newFileSingleton,
  newFolderWatch,
  tracked,
} from '../index.ts';

/** Files in memory and a clock that is moved by hand. */
function disk(initial: Record<string, string>) {
  const files = new Map(Object.entries(initial));
  const watchers = new Set<{path: string; f: () => void}>();
  const timers: {at: number; f: () => void}[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    after(ms, f) {
      const timer = {at: now + ms, f};
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const reader: FileReader = {
    list: root => [...files.keys()].filter(path => path.startsWith(`${root}/`)),
    read(path) {
      const text = files.get(path);
      if (text === undefined) throw new Error(`no file ${path}`);
      return text;
    },
    watch(path, f) {
      const watcher = {path, f};
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
  const write = (path: string, text: string | null) => {
    if (text === null) files.delete(path);
    else files.set(path, text);
    for (const watcher of watchers) if (path.startsWith(watcher.path)) watcher.f();
  };
  const pass = (ms: number) => {
    now += ms;
    for (const timer of [...timers]) {
      if (timer.at > now) continue;
      timers.splice(timers.indexOf(timer), 1);
      timer.f();
    }
  };
  return {engine: createEngine({clock, reader, checks: 'off'}), write, pass, watchers};
}

const parse = (text: string) => {
  if (text.includes('!')) throw new Error('not yaml');
  return text.split(',');
};

function folder(initial: Record<string, string>) {
  const all = disk(initial);
  const watch = newFolderWatch(all.engine, 'etc', parse);
  const items = newFileCollection(watch, text => (text === 'skip' ? undefined : text), {name: 'items'});
  return {...all, watch, items, tracker: tracked(items)};
}

test('[L1] L-01 files are added, and a truncated one takes its items with it', () => {
  const {write, pass, tracker, items} = folder({'etc/cm.yaml': 'a'});
  expect(items.list()).toEqual(['a']);
  write('etc/cm2.yaml', 'b');
  pass(249);
  expect(tracker.taken()).toEqual([]);
  pass(1);
  expect(tracker.taken()).toEqual(['add/b']);
  write('etc/cm.yaml', '');
  pass(250);
  expect(tracker.taken()).toEqual(['delete/a']);
});

test('[L1] L-02 L-03 an invalid file keeps the whole state; at first it throws', () => {
  const {write, pass, tracker, watch} = folder({'etc/a.yaml': 'a', 'etc/b.yml': 'b'});
  write('etc/a.yaml', 'a!');
  write('etc/b.yml', 'c');
  pass(250);
  expect(tracker.taken()).toEqual([]);
  expect(watch.warning()).toMatch(/keeps its last good state: not yaml/);
  write('etc/a.yaml', 'a2');
  pass(250);
  expect(tracker.taken().sort()).toEqual(['add/a2', 'add/c', 'delete/a', 'delete/b']);
  expect(watch.warning()).toBeUndefined();
  expect(() => folder({'etc/a.yaml': '!'})).toThrow(/cannot be read: not yaml/);
});

test('[L1] L-04 L-06 L-08 L-09 nested folders count, other files do not, some items are left out', () => {
  const {write, pass, items, tracker} = folder({'etc/readme.txt': '!', 'etc/a.yaml': 'a,skip'});
  expect(items.list()).toEqual(['a']);
  write('etc/deep/er/x.yaml', 'x');
  write('etc/a.yaml', null);
  pass(250);
  expect(tracker.taken().sort()).toEqual(['add/x', 'delete/a']);
});

test('[L2] L-07 a file singleton changes with its content, and keeps the last good value', () => {
  const {engine, write, pass, watchers} = disk({'mesh.yaml': 'a'});
  const mesh = newFileSingleton(engine, 'mesh.yaml', parse, {name: 'mesh', key: () => 'mesh'});
  const tracker = tracked(mesh);
  write('mesh.yaml', 'a');
  pass(100);
  write('mesh.yaml', '!');
  pass(100);
  expect([tracker.taken(), mesh.get()]).toEqual([[], ['a']]);
  write('mesh.yaml', 'b');
  pass(100);
  expect([tracker.taken(), mesh.get()]).toEqual([['update/mesh'], ['b']]);
  mesh.stop();
  expect(watchers.size).toBe(0);
  expect(() => newFileSingleton(engine, 'none.yaml', parse)).toThrow(/no file/);
});

import {expect, test} from 'vitest';
import {
  type Clock,
  type Collection,
  collectionsOf,
  createEngine,
  type FileReader,
  inputs,
  newCollection,
  newFileCollection,
  newFileSingleton,
  newFolderWatch,
  newStaticCollection,
  probe,
  tracked,
} from '../index.ts';

/** Files in memory and a manual clock. */
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
  return {engine: createEngine({clock, reader, checks: 'off'}), reader, clock, write, pass, watchers, timers};
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

test('[L2] a file whose value is a circle, as YAML’s anchors make them, is taken over', () => {
  const {engine, write, pass} = disk({f: '1'});
  interface Circle {
    text: string;
    self?: Circle;
  }
  const one = newFileSingleton<Circle>(engine, 'f', text => {
    const circle: Circle = {text};
    circle.self = circle;
    return circle;
  });
  for (const text of ['1', '2']) {
    write('f', text);
    expect(() => pass(100)).not.toThrow();
    expect(one.get()?.text).toBe(text);
  }
});

test('[L2] a file whose value cannot be compared keeps the last one, and its run says why', () => {
  const {engine, write, pass} = disk({f: '1'});
  const one = newFileSingleton(engine, 'f', text => ({
    get text() {
      if (text === '2') throw new Error('no text');
      return text;
    },
  }));
  write('f', '2');
  expect(() => pass(100)).not.toThrow();
  expect(one.get()?.text).toBe('1');
  expect(inputs(one)).toMatchObject([{outcome: 'failed', stale: true, error: 'no text'}]);
});

test('[L2] a file is watched before it is read, and no longer if it cannot be', () => {
  const {engine, reader, watchers} = disk({f: '1'});
  const order: string[] = [];
  const watch = reader.watch;
  reader.watch = (path, f) => {
    order.push('watch');
    return watch(path, f);
  };
  newFileSingleton(engine, 'f', text => {
    order.push('parse');
    return text;
  });
  expect(order).toEqual(['watch', 'parse']);
  expect(() => newFileSingleton(engine, 'none', text => text)).toThrow('no file none');
  expect(watchers.size).toBe(1);
  reader.watch = () => {
    throw new Error('too many watches');
  };
  const before = collectionsOf(engine).length;
  expect(() => newFileSingleton(engine, 'f', text => text)).toThrow('too many watches');
  expect(collectionsOf(engine)).toHaveLength(before);
});

test('[L2] a reader whose watch is a promise is refused, and its rejection is nobody’s', async () => {
  const rejected: unknown[] = [];
  const note = (error: unknown) => rejected.push(error);
  process.on('unhandledRejection', note);
  const reader = {
    list: () => ['a.yaml'],
    read: () => '1',
    watch: (() => Promise.reject(new Error('too many files'))) as never,
  };
  const engine = createEngine({reader});
  expect(() => newFolderWatch(engine, 'a', parse)).toThrow('the watch of the reader of files');
  expect(() => newFileSingleton(engine, 'a.yaml', text => text)).toThrow('the watch of the reader of files');
  await new Promise(resolve => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect([rejected, collectionsOf(engine)]).toEqual([[], []]);
});

test('[Z3] a stopped engine watches nothing new', () => {
  const {engine, watchers} = disk({'etc/a.yaml': 'a'});
  engine.stop();
  expect(() => newFolderWatch(engine, 'etc', parse)).toThrow('its engine was stopped');
  expect(() => newFileSingleton(engine, 'etc/a.yaml', parse)).toThrow('its engine was stopped');
  expect(watchers.size).toBe(0);
});

test('[Z1] a transform that stops its own collection, or another, leaves their rows as they are', () => {
  const {engine, write, pass} = disk({'etc/a.yaml': 'a,b'});
  const watch = newFolderWatch(engine, 'etc', parse);
  const made: Collection<string>[] = [];
  const other = newFileCollection(watch);
  const stopping = newFileCollection(watch, text => {
    for (const each of made) each.stop();
    return text;
  });
  made.push(other, stopping);
  write('etc/a.yaml', 'b,c');
  pass(250);
  expect([other.list(), stopping.list()]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

test('[L1] a transform that stops the watch takes nothing over', () => {
  const {engine, write, pass} = disk({'etc/a.yaml': 'a'});
  const watch = newFolderWatch(engine, 'etc', parse);
  const items = newFileCollection(watch, text => {
    if (text === 'b') watch.stop();
    return text;
  });
  write('etc/a.yaml', 'b');
  pass(250);
  expect([items.list(), watch.items()]).toEqual([['a'], ['a']]);
});

/** A reader that cannot stop watching. */
function stubborn() {
  const all = disk({'a/x.yaml': '1', c: '1', d: '1'});
  const ended: string[] = [];
  const reader: FileReader = {
    ...all.reader,
    watch: (path, f) => {
      all.reader.watch(path, f);
      return () => {
        ended.push(path);
        throw new Error(`cannot unwatch ${path}`);
      };
    },
  };
  return {...all, ended, engine: createEngine({reader, clock: all.clock, checks: 'off'})};
}

test('[Z3] an engine that stops ends everything, whatever an unwatch throws, and throws that afterwards', () => {
  const {engine, ended} = stubborn();
  const heard: string[] = [];
  engine.onTrace(() => void heard.push('trace'));
  newStaticCollection<string>(engine, []);
  newFolderWatch(engine, 'a', parse);
  newFolderWatch(engine, 'b', parse);
  newFileSingleton(engine, 'c', text => text);
  newFileSingleton(engine, 'd', text => text);
  heard.splice(0);
  expect(() => engine.stop()).toThrow('cannot unwatch');
  expect(ended.sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(collectionsOf(engine)).toEqual([]);
  expect(() => engine.stop()).not.toThrow();
});

test('[LK7] what could not be unwatched is deaf after its end, and leaves no timer', () => {
  const {engine, write, timers} = stubborn();
  const file = newFileSingleton(engine, 'c', text => text);
  const folder = newFolderWatch(engine, 'a', parse);
  write('c', '2');
  write('a/x.yaml', '2');
  expect(timers).toHaveLength(2);
  expect(() => file.stop()).toThrow('cannot unwatch c');
  expect(() => folder.stop()).toThrow('cannot unwatch a');
  expect(() => folder.stop()).not.toThrow();
  write('c', '3');
  write('a/x.yaml', '3');
  expect(timers).toEqual([]);
  expect([file.get(), folder.items()]).toEqual(['1', ['1']]);
});

test('[R4] a file that a formula made and that cannot be unwatched harms no other row', () => {
  const {engine} = stubborn();
  const source = newStaticCollection<string>(engine, ['c', 'd']);
  const rows = newCollection(source, (_, path) => newFileSingleton(engine, path, text => text));
  const tracker = tracked(rows);
  const [c, d] = rows.list().map(({uid}) => uid);
  expect(() => source.reset(['x'])).toThrow('cannot unwatch');
  expect(tracker.taken().sort()).toEqual([`delete/${c}`, `delete/${d}`]);
  expect(collectionsOf(engine)).toHaveLength(2);
  expect(() => source.reset([])).not.toThrow();
});

test('[C6] a probe ends what its formula made, and tells what could not be unwatched', () => {
  const {engine} = stubborn();
  const source = newStaticCollection<string>(engine, ['c']);
  const rows = newCollection(source, (_, path) => newFileSingleton(engine, path, text => text));
  const before = collectionsOf(engine).length;
  expect(() => probe(rows, 'c', item => item)).toThrow('cannot unwatch c');
  expect(collectionsOf(engine)).toHaveLength(before);
});

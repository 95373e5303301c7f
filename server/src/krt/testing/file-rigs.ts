// Test setups for collections that are made from files: a folder in memory and a manual clock.
import {createEngine, type Engine, newFileCollection, newFileSingleton, newFolderWatch} from '../index.ts';
import type {Pair, Rig, RigKind} from './rigs.ts';

/** Files in memory, as the engine's reader sees them. Watchers hear of every write. */
export class MemoryFolder {
  readonly files = new Map<string, string>();
  readonly #watchers = new Map<() => void, string>();
  readonly #timers = new Set<{at: number; f: () => void}>();
  #now = 0;

  readonly reader = {
    list: (root: string) => [...this.files.keys()].filter(path => path.startsWith(root)),
    read: (path: string) => {
      const text = this.files.get(path);
      if (text === undefined) throw new Error(`${path} does not exist`);
      return text;
    },
    watch: (path: string, f: () => void) => {
      const own = () => f();
      this.#watchers.set(own, path);
      return () => {
        this.#watchers.delete(own);
      };
    },
  };

  readonly clock = {
    now: () => this.#now,
    after: (ms: number, f: () => void) => {
      const timer = {at: this.#now + ms, f};
      this.#timers.add(timer);
      return () => {
        this.#timers.delete(timer);
      };
    },
  };

  get watchers(): number {
    return this.#watchers.size;
  }

  get timers(): number {
    return this.#timers.size;
  }

  write(path: string, text: string | undefined): void {
    if (text === undefined) this.files.delete(path);
    else this.files.set(path, text);
    for (const [f, watched] of [...this.#watchers]) if (path.startsWith(watched)) f();
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.f();
    }
  }
}

const options = {name: 'it', metadata: {team: 'network'}, key: (pair: Pair) => pair.key};

/** A turn ends at once. Inside a batch it ends with the batch, because a reload is one turn. */
function fileRig(
  folder: MemoryFolder,
  engine: Engine,
  collection: Rig['collection'],
  write: (key: string, n: number | undefined) => void,
): Rig {
  let held = false;
  const act = (key: string, n: number | undefined) => {
    write(key, n);
    if (!held) folder.pass(1000);
  };
  return {
    engine,
    collection,
    put: (key, n) => act(key, n),
    remove: key => act(key, undefined),
    batch(f) {
      held = true;
      f();
      held = false;
      folder.pass(1000);
    },
    read: row => (row as Pair).n,
  };
}

const parse = (text: string): Pair => JSON.parse(text) as Pair;

const fileCollection: RigKind = {
  name: 'file collection',
  create() {
    const folder = new MemoryFolder();
    const engine = createEngine({reader: folder.reader, clock: folder.clock});
    const watch = newFolderWatch<Pair>(engine, '/root/', text => [parse(text)]);
    const collection = newFileCollection(watch, (pair: Pair) => pair, options);
    return fileRig(folder, engine, collection, (key, n) =>
      folder.write(`/root/${key}.yaml`, n === undefined ? undefined : JSON.stringify({key, n})),
    );
  },
};

const fileSingleton: RigKind = {
  name: 'file singleton',
  single: true,
  create() {
    const folder = new MemoryFolder();
    folder.files.set('/one.yaml', '');
    const engine = createEngine({reader: folder.reader, clock: folder.clock});
    const read = (text: string) => (text === '' ? undefined : parse(text));
    const collection = newFileSingleton<Pair | undefined>(engine, '/one.yaml', read, {
      ...options,
      key: pair => pair?.key ?? '',
    });
    return fileRig(folder, engine, collection, (key, n) =>
      folder.write('/one.yaml', n === undefined ? '' : JSON.stringify({key, n})),
    );
  },
};

export const fileRigKinds: readonly RigKind[] = [fileCollection, fileSingleton];

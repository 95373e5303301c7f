// Files as collections, through a reader that is given: the engine itself reads no disk.

import type {Collection, DerivedSingleton, Options} from '../api/collection.ts';
import {readContext} from '../api/context.ts';
import {equal} from '../api/equality.ts';
import {EngineError} from '../api/error.ts';
import {errorText} from '../api/error-text.ts';
import {type Engine, type EngineCore, engineCore} from '../graph/engine.ts';
import type {Formula} from './derived.ts';
import {DerivedSingletonCore, Nothing, StaticSingletonCore} from './singleton.ts';
import {StaticList} from './static-list.ts';

export interface FileReader {
  /** Paths of the regular files under a folder, its subfolders included. */
  list(root: string): readonly string[];
  read(path: string): string;
  /** Calls `f` when the file, or anything under the folder, may have changed; returns its unwatch. */
  watch(path: string, f: () => void): () => void;
}

const FOLDER_QUIET_MS = 250;
const FILE_QUIET_MS = 100;

function readerOf(engine: EngineCore): FileReader {
  if (engine.reader !== null) return engine.reader;
  throw new EngineError(
    'reader-missing',
    'files need createEngine({reader}); the engine reads no disk itself',
  );
}

/** Runs `f` once, a while after the first of several calls; later calls in between do not put it off. */
function debounced(engine: EngineCore, ms: number, f: () => void): {call: () => void; cancel: () => void} {
  let cancel: (() => void) | null = null;
  const call = () => {
    if (cancel !== null) return;
    if (engine.clock === null) {
      f();
      return;
    }
    cancel = engine.clock.after(ms, () => {
      cancel = null;
      f();
    });
  };
  return {call, cancel: () => cancel?.()};
}

export interface FolderWatch<T> {
  /** What the folder holds, as of the last reload that could be read whole. */
  items(): readonly T[];
  /** Why the last reload was not taken over; undefined if it was. */
  warning(): string | undefined;
  stop(): void;
}

class FolderWatchCore implements FolderWatch<unknown> {
  readonly engine: EngineCore;
  readonly root: string;
  readonly #parse: (text: string, path: string) => readonly unknown[];
  readonly #lists = new Map<StaticList, (items: readonly unknown[]) => unknown[]>();
  #items: readonly unknown[];
  #warning: string | undefined;
  #stop: () => void;

  constructor(engine: EngineCore, root: string, parse: (text: string, path: string) => readonly unknown[]) {
    this.engine = engine;
    this.root = root;
    this.#parse = parse;
    const reload = debounced(engine, FOLDER_QUIET_MS, () => this.#reload());
    // Watch before reading: a change between the two would be lost.
    const unwatch = readerOf(engine).watch(root, reload.call);
    this.#stop = () => {
      unwatch();
      reload.cancel();
    };
    engine.watches.add(this);
    try {
      this.#items = this.#readAll();
    } catch (error) {
      this.stop();
      throw new EngineError('file', `folder "${root}" cannot be read: ${errorText(error)}`, error);
    }
  }

  #readAll(): readonly unknown[] {
    const reader = readerOf(this.engine);
    const found: unknown[] = [];
    for (const path of [...reader.list(this.root)].sort()) {
      if (!/\.ya?ml$/.test(path)) continue;
      const text = reader.read(path);
      // An empty file is one that is being written.
      if (text.length === 0) continue;
      for (const item of this.#parse(text, path)) found.push(item);
    }
    return found;
  }

  // A reload is taken over whole or not at all: what a transform throws counts as what a file throws.
  #reload(): void {
    try {
      const items = this.#readAll();
      const commits = [...this.#lists].map(([list, current]) => list.prepare(current(items)));
      this.engine.write(() => {
        for (const commit of commits) commit();
        this.#items = items;
      });
      this.#warning = undefined;
    } catch (error) {
      this.#warning = `folder "${this.root}" keeps its last good state: ${errorText(error)}`;
    }
  }

  /** From now on the list holds what `current` makes of the items. */
  onReload(list: StaticList, current: (items: readonly unknown[]) => unknown[]): () => void {
    this.#lists.set(list, current);
    return () => this.#lists.delete(list);
  }

  items(): readonly unknown[] {
    return this.#items;
  }

  warning(): string | undefined {
    return this.#warning;
  }

  stop(): void {
    this.engine.watches.delete(this);
    this.#lists.clear();
    this.#stop();
    this.#stop = () => {};
  }
}

/** Reads all YAML files under a folder now and after each change; one that fails keeps the whole last state. */
export function newFolderWatch<T>(
  engine: Engine,
  root: string,
  parse: (text: string, path: string) => readonly T[],
): FolderWatch<T> {
  return new FolderWatchCore(engineCore(engine), root, parse) as unknown as FolderWatch<T>;
}

class FileList extends StaticList {
  override readonly kind = 'file';
  release: () => void = () => {};

  protected override withdraw(): void {
    super.withdraw();
    this.release();
  }
}

/** The items of a folder, through `transform`; nothing leaves an item out. */
export function newFileCollection<T, U = T>(
  watch: FolderWatch<T>,
  transform: (item: T) => U | null | undefined = item => item as unknown as U,
  options: Options<U> = {},
): Collection<U> {
  if (!(watch instanceof FolderWatchCore))
    throw new EngineError('wiring', 'expected a watch of newFolderWatch');
  const current = (items: readonly unknown[]) => {
    const found: unknown[] = [];
    for (const item of items) {
      const made = transform(item as T);
      if (made !== undefined && made !== null) found.push(made);
    }
    return found;
  };
  const list = new FileList(watch.engine, 'File[T]', options as Options<unknown>, null);
  list.begin(current(watch.items()));
  list.release = watch.onReload(list, current);
  return list as never;
}

/** One file as one value: equal content changes nothing, a file that cannot be read keeps the last value. */
export function newFileSingleton<T>(
  engine: Engine,
  path: string,
  parse: (text: string, path: string) => T,
  options: Options<T> = {},
): DerivedSingleton<T> {
  const core = engineCore(engine);
  const reader = readerOf(core);
  const name = options.name ?? `File[${path}]`;
  let value = first(() => parse(reader.read(path), path), path);
  const trigger = new StaticSingletonCore(core, name, {name}, null, 'trigger').begin([0]);
  let reloads = 0;
  const reload = debounced(core, FILE_QUIET_MS, () => {
    let next: T;
    try {
      next = parse(reader.read(path), path);
    } catch {
      return;
    }
    if (equal(value, next)) return;
    value = next;
    trigger.set(++reloads);
  });
  const unwatch = reader.watch(path, reload.call);
  const single = new FileSingleton(
    core,
    name,
    ctx => {
      readContext(ctx, 'newFileSingleton').read(trigger, []);
      return value;
    },
    options as Options<unknown>,
  );
  single.release = () => {
    unwatch();
    reload.cancel();
    trigger.end();
  };
  return single.begin() as never;
}

/** A derived singleton that lets go of its file when it ends, however it ends. */
class FileSingleton extends DerivedSingletonCore {
  release: () => void = () => {};

  constructor(engine: EngineCore, name: string, formula: Formula, options: Options<unknown>) {
    super(engine, new Nothing(engine, name), formula, {...options, name}, name);
  }

  protected override withdraw(): void {
    super.withdraw();
    this.release();
  }
}

function first<T>(read: () => T, path: string): T {
  try {
    return read();
  } catch (error) {
    throw new EngineError('file', `file "${path}" cannot be read: ${errorText(error)}`, error);
  }
}

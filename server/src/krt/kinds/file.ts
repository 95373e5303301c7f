// Files as collections. The engine itself reads no disk: the program gives it a reader.

import {type Engine, type EngineCore, engineCoreOf} from '../graph/engine.ts';
import {asReadContext} from '../query/read-context.ts';
import type {FormulaFunction} from '../run/derived-core.ts';
import type {Collection, DerivedSingleton, Options} from '../values/collection.ts';
import {equal} from '../values/equality.ts';
import {EngineError} from '../values/error.ts';
import {errorText} from '../values/error-text.ts';
import type {FileReader} from '../values/file-reader.ts';
import type {RunResource} from '../values/running-code.ts';
import {isThenable, refusePromise, silenceRejection, silenceRejections} from '../values/thenable.ts';
import {DerivedSingletonCore, EmptyInput, StaticSingletonCore} from './singleton.ts';
import {StaticList} from './static-collection.ts';

const FOLDER_QUIET_MS = 250;
const FILE_QUIET_MS = 100;

function readerOf(engine: EngineCore): FileReader {
  if (engine.reader !== null) return engine.reader;
  throw new EngineError(
    'reader-missing',
    'files need createEngine({reader}); the engine reads no disk itself',
  );
}

function readText(engine: EngineCore, path: string): string {
  return refusePromise(readerOf(engine).read(path), 'the reader of files');
}

/** A watched path. Calls `f` some time after the first of several notices, and never after its end. */
class PathWatch {
  readonly #engine: EngineCore;
  readonly #unwatch: () => unknown;
  #cancel: (() => void) | null = null;
  ended = false;

  constructor(engine: EngineCore, path: string, ms: number, f: () => void) {
    this.#engine = engine;
    const unwatch = readerOf(engine).watch(path, () => this.#notice(ms, f));
    this.#unwatch = refusePromise(unwatch, 'the watch of the reader of files');
  }

  // Later notices do not delay the call. A reader that failed to unwatch may go on with notices.
  #notice(ms: number, f: () => void): void {
    if (this.ended || this.#cancel !== null) return;
    if (this.#engine.clock === null) {
      f();
      return;
    }
    this.#cancel = this.#engine.clock.after(ms, () => {
      this.#cancel = null;
      if (!this.ended) f();
    });
  }

  /** Errors of the reader or the clock are thrown after the batch, so that everything else ends too. */
  end(): void {
    const fault = this.endAfterFailure();
    if (fault !== null) this.#engine.throwLater(fault.error);
  }

  /** Like end, after a failure whose own error is thrown instead. */
  endAfterFailure(): {error: unknown} | null {
    if (this.ended) return null;
    this.ended = true;
    let fault: {error: unknown} | null = null;
    for (const letGo of [this.#cancel, this.#unwatch]) {
      try {
        const answer: unknown = letGo?.();
        if (isThenable(answer)) silenceRejection(answer);
      } catch (error) {
        fault ??= {error};
      }
    }
    return fault;
  }
}

export interface FolderWatch<T> {
  /** The items of the last reload that succeeded completely. */
  items(): readonly T[];
  /** Why the last reload was ignored; undefined if it was not. */
  warning(): string | undefined;
  stop(): void;
}

class FolderWatchCore implements FolderWatch<unknown>, RunResource {
  readonly engine: EngineCore;
  readonly root: string;
  inMaking = false;
  readonly #parse: (text: string, path: string) => readonly unknown[];
  readonly #lists = new Map<StaticList, (items: readonly unknown[]) => unknown[]>();
  #items: readonly unknown[];
  #warning: string | undefined;
  readonly #watching: PathWatch;

  constructor(engine: EngineCore, root: string, parse: (text: string, path: string) => readonly unknown[]) {
    this.engine = engine;
    this.root = root;
    this.#parse = parse;
    engine.refuseStopped(`Folder[${root}]`);
    // Watch before reading: a change between the two would be lost.
    this.#watching = new PathWatch(engine, root, FOLDER_QUIET_MS, () => this.#reload());
    engine.watches.add(this);
    try {
      this.#items = this.#readAll();
    } catch (error) {
      engine.watches.delete(this);
      this.#watching.endAfterFailure();
      throw new EngineError('file', `folder "${root}" cannot be read: ${errorText(error)}`, error);
    }
    engine.running?.created(this);
  }

  #readAll(): readonly unknown[] {
    const reader = readerOf(this.engine);
    const found: unknown[] = [];
    for (const path of [...refusePromise(reader.list(this.root), 'the reader of folders')].sort()) {
      if (!/\.ya?ml$/.test(path)) continue;
      const text = readText(this.engine, path);
      // An empty file is still being written.
      if (text.length > 0) this.#parseInto(found, text, path);
    }
    return found;
  }

  #parseInto(found: unknown[], text: string, path: string): void {
    const what = `the parser of "${this.root}"`;
    const items = refusePromise(this.#parse(text, path), what);
    try {
      for (const item of items) found.push(refusePromise(item, what));
    } catch (error) {
      silenceRejections(items);
      throw error;
    }
  }

  // A reload counts completely or not at all, even if only a transform throws.
  #reload(): void {
    try {
      const items = this.#readAll();
      const commits = [...this.#lists].map(([list, current]) => list.prepare(current(items)));
      // A parser or transform may have stopped the watch.
      if (this.#watching.ended) return;
      this.engine.write(() => {
        for (const commit of commits) commit();
        this.#items = items;
      });
      this.#warning = undefined;
    } catch (error) {
      this.#warning = `folder "${this.root}" keeps its last good state: ${errorText(error)}`;
    }
  }

  /** From now on `list` contains `current(items)`. */
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
    this.end();
  }

  end(): void {
    this.engine.watches.delete(this);
    this.#lists.clear();
    this.#watching.end();
  }
}

/**
 * Reads all YAML files under a folder, now and after each change. A failed reload keeps the last state. A
 * watch made in a run lives as long as the row of that run.
 */
export function newFolderWatch<T>(
  engine: Engine,
  root: string,
  parse: (text: string, path: string) => readonly T[],
): FolderWatch<T> {
  return new FolderWatchCore(engineCoreOf(engine), root, parse) as unknown as FolderWatch<T>;
}

class FileList extends StaticList {
  override readonly kind = 'file';
  release: () => void = () => {};

  protected override withdraw(): void {
    super.withdraw();
    this.release();
  }
}

/** The items of a folder through `transform`; null and undefined leave an item out. */
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
      const made = refusePromise(transform(item as T), 'the transform of files');
      if (made !== undefined && made !== null) found.push(made);
    }
    return found;
  };
  const list = new FileList(watch.engine, 'File[T]', options as Options<unknown>, null);
  list.begin(current(watch.items()));
  list.release = watch.onReload(list, current);
  return list as never;
}

/** One file as one value. Equal content changes nothing, and an unreadable file keeps the last value. */
export function newFileSingleton<T>(
  engine: Engine,
  path: string,
  parse: (text: string, path: string) => T,
  options: Options<T> = {},
): DerivedSingleton<T> {
  const core = engineCoreOf(engine);
  const name = options.name ?? `File[${path}]`;
  core.refuseStopped(name);
  const read = () => refusePromise(parse(readText(core, path), path), `the parser of "${path}"`);
  let value: T;
  let trigger: StaticSingletonCore | null = null;
  let reloads = 0;
  // Watch before reading: a change between the two would be lost.
  const watching = new PathWatch(core, path, FILE_QUIET_MS, () => {
    if (trigger === null) return;
    let next: T;
    try {
      next = read();
    } catch {
      return;
    }
    if (isSame(value, next)) return;
    value = next;
    trigger.set(++reloads);
  });
  try {
    value = readFirst(read, path);
    const pulled = new StaticSingletonCore(core, name, {name}, null, 'trigger').begin([0]);
    trigger = pulled;
    const formula: FormulaFunction = ctx => {
      asReadContext(ctx, 'newFileSingleton').read(pulled, []);
      return value;
    };
    const single = new FileSingleton(core, name, formula, options as Options<unknown>);
    single.release = () => {
      pulled.end();
      watching.end();
    };
    return single.begin() as never;
  } catch (error) {
    trigger?.stop();
    watching.endAfterFailure();
    throw error;
  }
}

// Items that cannot be compared count as different. The following run reports any error.
function isSame(a: unknown, b: unknown): boolean {
  try {
    return equal(a, b);
  } catch {
    return false;
  }
}

/** A derived singleton that stops watching its file when it ends. */
class FileSingleton extends DerivedSingletonCore {
  release: () => void = () => {};

  constructor(engine: EngineCore, name: string, formula: FormulaFunction, options: Options<unknown>) {
    super(engine, new EmptyInput(engine, name), formula, {...options, name}, name);
  }

  protected override withdraw(): void {
    super.withdraw();
    this.release();
  }
}

function readFirst<T>(read: () => T, path: string): T {
  try {
    return read();
  } catch (error) {
    throw new EngineError('file', `file "${path}" cannot be read: ${errorText(error)}`, error);
  }
}

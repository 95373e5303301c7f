// The static list: a source whose owner adds, replaces and deletes objects by key. All user functions are
// called before anything changes, so that an error leaves nothing half done.

import type {Row} from '../containers/row.ts';
import {type Engine, engineCoreOf} from '../graph/engine.ts';
import type {CollectionKind, Options, StaticCollection} from '../values/collection.ts';
import {EQUAL} from '../values/equality.ts';
import {refusePromise} from '../values/thenable.ts';
import {SourceCore} from './source.ts';
import {latchOf} from './sync-latch.ts';

export class StaticList extends SourceCore {
  readonly kind: CollectionKind = 'static';

  updateObject(object: unknown): void {
    if (this.stopped) return;
    const {engine} = this;
    const outer = engine.enter();
    try {
      this.putByOwnKey(object);
    } finally {
      engine.leave(outer);
    }
  }

  conditionalUpdateObject(object: unknown): void {
    if (this.stopped) return;
    this.engine.write(() => {
      const key = this.keyOf(object);
      if (this.engine.callUserFunction(() => this.#isEqual(key, object))) this.#replace(key, object);
      else this.put(key, object);
    });
  }

  #isEqual(key: string, object: unknown): boolean {
    const current = this.rows.get(key)?.value;
    return current !== undefined && this.compare(current, object) === EQUAL;
  }

  // Replaces the object silently, so that the old one can be freed.
  #replace(key: string, object: unknown): void {
    const row = this.rows.get(key);
    if (row === undefined || this.stopped) return;
    // The old object was not announced, so this one will be, and indexes must see it.
    if (row.dirty) this.write(row, object);
    else this.replaceSilently(row, object);
  }

  deleteObject(key: string): void {
    if (this.stopped) return;
    const {engine} = this;
    const outer = engine.enter();
    try {
      const row = this.rows.get(key);
      if (row !== undefined) this.remove(row);
    } finally {
      engine.leave(outer);
    }
  }

  deleteObjects(matches: (object: unknown) => boolean): void {
    if (this.stopped) return;
    this.engine.write(() => {
      const rows = this.engine.callUserFunction(() =>
        [...this.rows.values()].filter(row => isMatch(row, matches)),
      );
      for (const row of rows) this.remove(row);
    });
  }

  reset(objects: readonly unknown[]): void {
    if (this.stopped) return;
    this.engine.write(() => this.prepare(objects)());
  }

  /** Does everything of a reset that may throw. The returned function does the rest. */
  prepare(objects: readonly unknown[]): () => void {
    const next = new Map<string, unknown>();
    const equal = new Set<string>();
    this.engine.callUserFunction(() => {
      for (const object of objects) next.set(this.keyOf(object), object);
      for (const [key, object] of next) if (this.#isEqual(key, object)) equal.add(key);
    });
    return () => {
      for (const [key, object] of next) {
        if (equal.has(key)) this.#replace(key, object);
        else this.put(key, object);
      }
      for (const row of [...this.rows.values()]) if (!next.has(row.key)) this.remove(row);
    };
  }
}

function isMatch({value}: Row, matches: (object: unknown) => boolean): boolean {
  return value !== undefined && Boolean(refusePromise(matches(value), 'the test of deleteObjects'));
}

/** A source of objects by key. Of initial objects with one key the last one counts. */
export function newStaticCollection<T>(
  engine: Engine,
  initial: readonly T[] = [],
  options: Options<T> = {},
): StaticCollection<T> {
  const core = engineCoreOf(engine);
  const list = new StaticList(core, 'Static[T]', options as Options<unknown>, latchOf(core, options));
  return list.begin(initial) as unknown as StaticCollection<T>;
}

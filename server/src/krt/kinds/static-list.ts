// The static list: a source whose owner adds, replaces and deletes objects by key.

import type {CollectionKind, Options, StaticCollection} from '../api/collection.ts';
import {EQUAL} from '../api/equality.ts';
import {type Engine, engineCore} from '../graph/engine.ts';
import {arrive, depart, update} from '../run/wave.ts';
import {latchOf} from './latch.ts';
import {Source} from './source.ts';

export class StaticList extends Source {
  readonly kind: CollectionKind = 'static';

  updateObject(object: unknown): void {
    if (this.stopped) return;
    const {engine} = this;
    const known = this.rowFor(object);
    if (engine.idle && this.direct) {
      // Other names may make the same key: then the row is there after all.
      const row = known ?? this.rowOf(this.keyOf(object), object);
      if (row.value !== undefined) {
        if (row.value !== object) update(engine, this, row, object);
        return;
      }
      if (!engine.heard) {
        arrive(engine, this, row, object);
        return;
      }
    }
    const outer = engine.enter();
    try {
      if (known !== undefined) this.putAt(known, object);
      else this.put(this.keyOf(object), object);
    } finally {
      engine.leave(outer);
    }
  }

  conditionalUpdateObject(object: unknown): void {
    if (this.stopped) return;
    this.engine.write(() => this.#putUnlessEqual(this.keyOf(object), object));
  }

  // Equal to what is there: the row takes the new object without telling anyone.
  #putUnlessEqual(key: string, object: unknown): void {
    const row = this.rows.get(key);
    const current = row?.value;
    if (row === undefined || current === undefined || this.compare(current, object) !== EQUAL) {
      this.put(key, object);
    }
  }

  deleteObject(key: string): void {
    if (this.stopped) return;
    const {engine} = this;
    if (engine.idle && this.direct && !engine.heard) {
      const row = this.rows.get(key);
      if (row?.value !== undefined) depart(engine, this, row);
      return;
    }
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
      for (const row of [...this.rows.values()]) {
        if (row.value !== undefined && matches(row.value)) this.remove(row);
      }
    });
  }

  reset(objects: readonly unknown[]): void {
    if (this.stopped) return;
    this.engine.write(() => {
      const next = new Map<string, unknown>();
      for (const object of objects) next.set(this.keyOf(object), object);
      for (const [key, object] of next) this.#putUnlessEqual(key, object);
      for (const row of [...this.rows.values()]) if (!next.has(row.key)) this.remove(row);
    });
  }
}

/** A source of objects by key. Among initial objects of one key the last counts. */
export function newStaticCollection<T>(
  engine: Engine,
  initial: readonly T[] = [],
  options: Options<T> = {},
): StaticCollection<T> {
  const core = engineCore(engine);
  const list = new StaticList(core, 'Static[T]', options as Options<unknown>, latchOf(core, options));
  return list.beginWith(initial) as unknown as StaticCollection<T>;
}

// The inputs of a derived collection: they hang on the parent's rows, and wait in a list for their run.

import type {Options} from '../api/collection.ts';
import {Core} from '../graph/core.ts';
import type {EngineCore} from '../graph/engine.ts';
import type {Row} from '../graph/row.ts';
import {DIRTY, type Entry, outputsOf} from './entry.ts';

export abstract class Inputs extends Core {
  readonly parent: Core;
  /** Those that run, or go, in this batch. Filled up to the count, never shortened: it is hot. */
  protected waiting: Entry[] = [];
  protected waitingCount = 0;

  constructor(engine: EngineCore, parent: Core, name: string, options: Options<unknown>) {
    super(engine, name, options);
    this.parent = parent;
  }

  /** Some input has yet to run or to go: what hangs on the parent's rows is not all there is. */
  get awaits(): boolean {
    return this.waitingCount > 0;
  }

  enqueueEntry(entry: Entry): void {
    entry.flags |= DIRTY;
    this.waiting[this.waitingCount++] = entry;
    if (!this.queued) this.engine.enqueue(this);
  }

  /** Every row there is, those among them that go in this batch. */
  *heldRows(): Iterable<Row> {
    for (let i = 0; i < this.dirtyCount; i++) yield this.dirtyRows[i] as Row;
    // The inputs that go in this turn are no longer among the parent's.
    for (let i = 0; i < this.waitingCount; i++) {
      const entry = this.waiting[i];
      if (entry !== undefined) yield* outputsOf(entry);
    }
    for (const entry of this.entries()) yield* outputsOf(entry);
  }

  forEachEntry(f: (entry: Entry) => void): void {
    this.parent.rows.forEach(row => {
      const entry = this.#entryOn(row);
      if (entry !== undefined) f(entry);
    });
  }

  *entries(): Iterable<Entry> {
    for (const row of this.parent.rows.values()) {
      const entry = this.#entryOn(row);
      if (entry !== undefined) yield entry;
    }
  }

  entry(key: string): Entry | undefined {
    const row = this.parent.rows.get(key);
    return row === undefined ? undefined : this.#entryOn(row);
  }

  #entryOn(row: Row): Entry | undefined {
    const {attached} = row;
    if (Array.isArray(attached)) return attached.find(entry => entry.collection === (this as Inputs));
    return attached !== null && attached.collection === (this as Inputs) ? attached : undefined;
  }
}

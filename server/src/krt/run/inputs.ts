// The inputs of a derived collection: they hang on the parent's rows, and wait in a list for their run.

import type {Options} from '../api/collection.ts';
import {Core} from '../graph/core.ts';
import type {EngineCore} from '../graph/engine.ts';
import {Pile} from '../graph/pile.ts';
import type {Row} from '../graph/row.ts';
import type {Entry} from './entry.ts';

export abstract class Inputs extends Core {
  readonly parent: Core;
  /** Those that run, or go, in this batch. */
  protected readonly waiting = new Pile<Entry>();

  constructor(engine: EngineCore, parent: Core, name: string, options: Options<unknown>) {
    super(engine, name, options);
    this.parent = parent;
  }

  enqueueEntry(entry: Entry): void {
    entry.dirty = true;
    this.waiting.add(entry);
    if (!this.queued) this.engine.enqueue(this);
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

// The inputs of a derived collection: they hang on the parent's rows, and wait in a list for their run.

import {ReusableList} from '../containers/reusable-list.ts';
import type {Row} from '../containers/row.ts';
import {CollectionCore} from '../graph/collection-core.ts';
import type {EngineCore} from '../graph/engine.ts';
import type {Options} from '../values/collection.ts';
import type {InputEntry} from './input-entry.ts';

/** Where the statuses that a formula returns go. */
export interface StatusOutput {
  /** Sets the status of an input after one of its runs; no status removes it. */
  put(input: Row, status: unknown): void;
  drop(key: string): void;
  end(): void;
}

export abstract class FormulaInputs extends CollectionCore {
  readonly parent: CollectionCore;
  /** Those that run, or go, in this batch. */
  protected readonly waiting = new ReusableList<InputEntry>();

  constructor(engine: EngineCore, parent: CollectionCore, name: string, options: Options<unknown>) {
    super(engine, name, options);
    this.parent = parent;
  }

  enqueueEntry(entry: InputEntry): void {
    entry.dirty = true;
    this.waiting.add(entry);
    if (!this.queued) this.engine.enqueue(this);
  }

  *entries(): Iterable<InputEntry> {
    for (const row of this.parent.rows.values()) {
      const entry = this.#entryOn(row);
      if (entry !== undefined) yield entry;
    }
  }

  entry(key: string): InputEntry | undefined {
    const row = this.parent.rows.get(key);
    return row === undefined ? undefined : this.#entryOn(row);
  }

  #entryOn(row: Row): InputEntry | undefined {
    const {attached} = row;
    if (Array.isArray(attached)) return attached.find(entry => entry.collection === (this as FormulaInputs));
    return attached !== null && attached.collection === (this as FormulaInputs) ? attached : undefined;
  }
}

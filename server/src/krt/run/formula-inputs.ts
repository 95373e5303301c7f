// The inputs of a derived collection and its state. Inputs are attached to rows of the parent, and wait in a
// list for their run.

import {ReusableList} from '../containers/reusable-list.ts';
import type {Row, RowInput} from '../containers/row.ts';
import {CollectionCore} from '../graph/collection-core.ts';
import type {EngineCore} from '../graph/engine.ts';
import type {Options} from '../values/collection.ts';
import {FetchEdges} from './fetch-edges.ts';
import {FormulaOutputs} from './formula-outputs.ts';
import {FullScans} from './full-scan.ts';
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
  /** A run yields a list of items, not one item. */
  readonly many: boolean;
  readonly outputs = new FormulaOutputs(this);
  readonly scans = new FullScans(this);
  readonly edges = new FetchEdges(this);
  /** How many inputs failed in their last run. */
  failed = 0;
  /** Inputs whose run is suspended. */
  readonly suspended = new Set<InputEntry>();
  /** Inputs whose run failed for a cycle. */
  readonly circular = new Set<InputEntry>();
  status: StatusOutput | null = null;
  /** How many suspended inputs hold the sync. */
  holding = 0;
  /** Inputs that run, or are removed, in this batch. */
  protected readonly waiting = new ReusableList<InputEntry>();

  constructor(
    engine: EngineCore,
    parent: CollectionCore,
    many: boolean,
    name: string,
    options: Options<unknown>,
  ) {
    super(engine, name, options);
    this.parent = parent;
    this.many = many;
  }

  enqueueEntry(entry: InputEntry): void {
    entry.dirty = true;
    if (this.synced && this.circular.size === 0 && this.engine.handOn(entry)) return;
    this.queueEntry(entry);
  }

  queueEntry(entry: InputEntry): void {
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

  #entryOn({attached}: Row): InputEntry | undefined {
    const isOwn = (input: RowInput) => input.collection === (this as unknown);
    if (Array.isArray(attached)) return attached.find(isOwn) as InputEntry | undefined;
    return attached !== null && isOwn(attached) ? (attached as InputEntry) : undefined;
  }
}

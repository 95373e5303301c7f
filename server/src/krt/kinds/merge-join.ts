// Joins that merge all items of one key, from all members, into one row.

import type {Row} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import {coreOf, refuseForeign} from '../graph/core-of.ts';
import type {EngineCore} from '../graph/engine.ts';
import type {Collection, CollectionKind, Options} from '../values/collection.ts';
import {EngineError} from '../values/error.ts';
import type {ItemAccessors} from '../values/item-accessors.ts';
import {FunctionView} from './function-view.ts';

export type MergeFunction = (items: unknown[]) => unknown;

export abstract class MergingView extends FunctionView {
  readonly kind: CollectionKind = 'join';
  readonly merge: MergeFunction;
  readonly #pending = new Set<string>();
  runs = 0;

  protected started = false;

  constructor(
    engine: EngineCore,
    name: string,
    merge: MergeFunction,
    options: Options<unknown>,
    base?: ItemAccessors,
  ) {
    super(engine, name, options, base);
    this.merge = merge;
  }

  /** Members whose rows count now, in the order for merge. */
  protected abstract liveMembers(): readonly CollectionCore[];

  protected pendRow(row: Row): void {
    this.#pending.add(row.key);
    this.engine.recorder?.leadsTo(this, row.key, row);
    this.engine.enqueue(this);
  }

  /** `because` is the change that added or removed the member, if there is one. */
  protected pendAll(member: CollectionCore, because: Row | null = null): void {
    const {recorder} = this.engine;
    member.rows.forEach(row => {
      this.#pending.add(row.key);
      // The row of the member may be new in this batch. Then it is the cause.
      recorder?.leadsTo(this, row.key, row);
      if (because !== null) recorder?.leadsTo(this, row.key, because);
    });
    this.engine.enqueue(this);
  }

  /** Merges pending rows. False if some are left for the next batch, before the first sync. */
  protected mergePending(): boolean {
    const members = this.liveMembers();
    for (const key of this.#pending) {
      if (!this.synced && !this.engine.takeFirstRun(this)) break;
      this.#pending.delete(key);
      this.#refresh(key, members);
    }
    this.flush();
    this.engine.setOwesFirstRuns(this, this.owed > 0);
    return this.owed === 0;
  }

  /** Rows left to merge before it can be synced. */
  get owed(): number {
    return this.#pending.size;
  }

  #refresh(key: string, members: readonly CollectionCore[]): void {
    const items: unknown[] = [];
    for (const member of members) {
      const value = member.rows.get(key)?.value;
      if (value !== undefined) items.push(value);
    }
    if (items.length === 0) {
      this.run.forget(key);
      this.assign(key, undefined);
      return;
    }
    this.runs++;
    const made = this.run.callAndCompare(key, members, () => this.merge(items));
    if (made !== null) this.assign(key, made.value);
  }
}

export class MergeJoinView extends MergingView {
  readonly members: readonly CollectionCore[];

  constructor(members: readonly CollectionCore[], merge: MergeFunction, options: Options<unknown>) {
    const first = members[0];
    if (first === undefined) throw new EngineError('wiring', 'a join needs at least one collection');
    refuseForeign(first.engine, members, 'a join');
    super(first.engine, 'JoinWithMerge[T]', merge, options, first.accessors);
    this.members = members;
    this.engine.runInBatch(() => {
      this.engine.addCollection(this);
      for (const member of members) this.watch(member);
      this.engine.enqueue(this);
    });
  }

  protected liveMembers(): readonly CollectionCore[] {
    return this.members;
  }

  upstreamChanged(_: CollectionCore, row: Row): void {
    if (this.started) this.pendRow(row);
  }

  upstreamSynced(): void {
    this.engine.enqueue(this);
  }

  // Starts when all members have synced: merging only some would announce rows and revert them.
  turn(): void {
    if (!this.started) {
      for (const member of this.members) if (!member.synced) return;
      this.started = true;
      for (const member of this.members) this.pendAll(member);
    }
    if (this.mergePending()) this.becomeSynced();
  }

  upstreams(): Iterable<CollectionCore> {
    return this.members;
  }

  protected withdraw(): void {
    for (const member of this.members) this.unwatch(member);
  }
}

/** The union of collections. `merge` makes one row, or none, of all items of a key. */
export function joinWithMergeCollection<T>(
  collections: readonly Collection<T>[],
  merge: (items: T[]) => T | null | undefined,
  options: Options<T> = {},
): Collection<T> {
  return new MergeJoinView(
    collections.map(coreOf),
    merge as MergeFunction,
    options as Options<unknown>,
  ) as never;
}

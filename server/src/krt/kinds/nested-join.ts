// The nested join: its members are the items of another collection, and may come and go.

import type {Row} from '../containers/row.ts';
import {CollectionCore} from '../graph/collection-core.ts';
import {coreOf} from '../graph/core-of.ts';
import {dependsOn} from '../run/cycles.ts';
import type {Collection, Options} from '../values/collection.ts';
import {type MergeFunction, MergingView} from './merge-join.ts';

// instanceof throws for a revoked proxy.
function isCore(item: unknown): item is CollectionCore {
  try {
    return item instanceof CollectionCore;
  } catch {
    return false;
  }
}

export class NestedJoinView extends MergingView {
  readonly #container: CollectionCore;
  /** Members, with the number of rows of the container that have them. */
  readonly #members = new Map<CollectionCore, number>();
  /** Members from the start that have not synced. The join waits for them. */
  readonly #awaited = new Set<CollectionCore>();
  /**
   * Members that are built on the join, with their rows of the container. They are left out as long as they
   * are.
   */
  readonly #circular = new Map<CollectionCore, Set<Row>>();
  #attached = false;
  /** The row of the container whose member left last. The join may have waited for that member. */
  #left: Row | null = null;

  constructor(container: CollectionCore, merge: MergeFunction, options: Options<unknown>) {
    super(container.engine, 'NestedJoinWithMerge[T]', merge, options);
    this.#container = container;
    this.engine.runInBatch(() => {
      this.engine.addCollection(this);
      this.watch(container);
      this.engine.enqueue(this);
    });
  }

  upstreamChanged(upstream: CollectionCore, row: Row, old: unknown, now: unknown): void {
    if (upstream === this.#container) {
      if (!this.#attached || old === now) return;
      if (isCore(old)) this.#removeMember(old, row);
      if (isCore(now)) this.#addMember(now, row);
      this.engine.enqueue(this);
    } else if (this.started) this.pendRow(row);
  }

  upstreamSynced(upstream: CollectionCore): void {
    if (upstream !== this.#container && this.started) this.pendAll(upstream);
    this.engine.enqueue(this);
  }

  #addMember(member: CollectionCore, because: Row): void {
    const count = this.#members.get(member) ?? 0;
    if (member.engine !== this.engine) {
      const message = `"${member.name}" belongs to another engine than the join "${this.name}"; it is left out`;
      this.engine.report('foreign-member', this, [String(member.uid)], message);
      return;
    }
    if (count === 0 && dependsOn(member, this)) {
      this.#leaveOut(member, because);
      return;
    }
    this.#members.set(member, count + 1);
    if (count > 0) return;
    this.watch(member);
    if (!this.started && !member.synced && !member.stopped) this.#awaited.add(member);
    if (this.started && member.synced) this.pendAll(member, because);
  }

  #leaveOut(member: CollectionCore, because: Row): void {
    const rows = this.#circular.get(member);
    if (rows === undefined) this.#circular.set(member, new Set([because]));
    else rows.add(because);
    this.engine.circular.add(this);
    const message = `"${member.name}" is built on the join "${this.name}" that it should join; it is left out while it is`;
    this.engine.report('cycle', this, [String(member.uid)], message);
  }

  #forgetCycle(member: CollectionCore): void {
    this.#circular.delete(member);
    if (this.#circular.size === 0) this.engine.circular.delete(this);
    this.engine.violationStore.clear('cycle', this, String(member.uid));
  }

  /** Adds members that are not built on the join any more. */
  #rejoin(): void {
    for (const [member, rows] of this.#circular) {
      if (dependsOn(member, this)) continue;
      this.#forgetCycle(member);
      for (const row of rows) this.#addMember(member, row);
    }
  }

  #removeMember(member: CollectionCore, because: Row): void {
    const count = this.#members.get(member);
    if (count === undefined) {
      const rows = this.#circular.get(member);
      rows?.delete(because);
      if (rows?.size === 0) this.#forgetCycle(member);
      this.engine.violationStore.clear('foreign-member', this, String(member.uid));
      return;
    }
    if (count > 1) {
      this.#members.set(member, count - 1);
      return;
    }
    this.#members.delete(member);
    this.#awaited.delete(member);
    this.unwatch(member);
    this.engine.recheckCycles();
    if (this.started) this.pendAll(member, because);
    else this.#left = because;
  }

  turn(): void {
    if (!this.#attached) {
      if (!this.#container.synced) return;
      this.#attached = true;
      for (const row of this.#container.rows.values()) {
        if (isCore(row.value)) this.#addMember(row.value, row);
      }
      // A new member may have raised the level of the join.
      this.engine.enqueue(this);
      return;
    }
    if (this.#circular.size > 0) {
      const {level} = this;
      this.#rejoin();
      if (this.level > level) {
        this.engine.enqueue(this);
        return;
      }
    }
    if (!this.started) {
      for (const member of this.#awaited) if (member.synced) this.#awaited.delete(member);
      if (this.#awaited.size > 0) return;
      this.started = true;
      for (const member of this.#members.keys()) if (member.synced) this.pendAll(member, this.#left);
      this.#left = null;
    }
    if (this.mergePending()) this.becomeSynced();
  }

  protected liveMembers(): readonly CollectionCore[] {
    return [...this.#members.keys()].filter(member => member.synced);
  }

  get members(): readonly CollectionCore[] {
    return [...this.#members.keys()];
  }

  get container(): CollectionCore {
    return this.#container;
  }

  upstreams(): Iterable<CollectionCore> {
    return [this.#container, ...this.#members.keys()];
  }

  protected withdraw(): void {
    this.unwatch(this.#container);
    for (const member of this.#members.keys()) this.unwatch(member);
    this.engine.circular.delete(this);
  }
}

/**
 * Like joinWithMergeCollection, over a collection of collections. `merge` gets items in no particular order.
 */
export function nestedJoinWithMergeCollection<T>(
  container: Collection<Collection<T>>,
  merge: (items: T[]) => T | null | undefined,
  options: Options<T> = {},
): Collection<T> {
  return new NestedJoinView(coreOf(container), merge as MergeFunction, options as Options<unknown>) as never;
}

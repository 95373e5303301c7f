// The join: the union of its members. The first member that has a key wins.

import type {Row} from '../containers/row.ts';
import {type CollectionCore, changeOf} from '../graph/collection-core.ts';
import {coreOf, refuseForeign} from '../graph/core-of.ts';
import {ViewCore} from '../graph/view-core.ts';
import type {Change} from '../values/change.ts';
import type {Collection, CollectionKind, Options} from '../values/collection.ts';
import {EngineError} from '../values/error.ts';

export class JoinView extends ViewCore {
  readonly kind: CollectionKind = 'join';
  readonly members: readonly CollectionCore[];
  /** The members never share a key, so their changes pass without a check. */
  readonly #unchecked: boolean;
  readonly #overlaps = new Set<string>();
  /** The items of the members when the join was stopped. */
  #last: Change[] | null = null;
  /** Keys to refresh, each with the position of the first member that changed it. */
  readonly #pending = new Map<string, number>();
  readonly #live = new Set<CollectionCore>();
  /** Changes that the members of an unchecked join announced in this batch, by key. */
  readonly #passed = new Map<string, Change[]>();

  constructor(members: readonly CollectionCore[], options: Options<unknown>) {
    const first = members[0];
    if (first === undefined) throw new EngineError('wiring', 'a join needs at least one collection');
    refuseForeign(first.engine, members, 'a join');
    super(first.engine, 'Join[T]', options, first.accessors);
    this.members = members;
    this.#unchecked = options.unchecked === true || members.length === 1;
    this.engine.runInBatch(() => {
      this.engine.addCollection(this);
      for (const member of members) this.watch(member);
      this.engine.enqueue(this);
    });
  }

  upstreamChanged(member: CollectionCore, row: Row, old: unknown, now: unknown): void {
    if (!this.#live.has(member)) return;
    this.#pend(member, row);
    if (this.#unchecked) this.#keep(changeOf(row.key, old, now));
    this.engine.enqueue(this);
  }

  upstreamSynced(): void {
    this.engine.enqueue(this);
  }

  turn(): void {
    for (const member of this.members) {
      if (!member.synced || this.#live.has(member)) continue;
      this.#live.add(member);
      this.#join(member);
    }
    for (const [key, first] of this.#pending) this.#refresh(key, first);
    this.#pending.clear();
    this.flush();
    // Changes that did not change the row of the join.
    for (const key of this.#passed.keys()) this.#pass(key);
    if (this.#live.size === new Set(this.members).size) this.becomeSynced();
  }

  #join(member: CollectionCore): void {
    for (const row of member.rows.values()) {
      if (row.value === undefined) continue;
      this.#pend(member, row);
      if (this.#unchecked) this.#keep(changeOf(row.key, undefined, row.value));
    }
  }

  #pend(member: CollectionCore, row: Row): void {
    const {key} = row;
    const place = this.members.indexOf(member);
    this.#pending.set(key, Math.min(place, this.#pending.get(key) ?? place));
    this.engine.recorder?.leadsTo(this, key, row);
  }

  #keep(change: Change): void {
    const changes = this.#passed.get(change.key);
    if (changes === undefined) this.#passed.set(change.key, [change]);
    else changes.push(change);
  }

  // Announced together with the row, so that a handler that registers in between gets exactly what its replay
  // lacks.
  override publish(row: Row, old: unknown, now: unknown): void {
    this.#pass(row.key);
    super.publish(row, old, now);
  }

  #pass(key: string): void {
    const changes = this.#passed.get(key);
    if (changes === undefined) return;
    this.#passed.delete(key);
    if (this.handlers.length > 0) for (const change of changes) this.announce(change);
  }

  #refresh(key: string, firstChanged: number): void {
    const holders = this.members.filter(
      member => this.#live.has(member) && member.rows.get(key)?.value !== undefined,
    );
    if (this.#unchecked) this.#checkOverlap(key, holders.length);
    const [winner] = holders;
    const found = winner?.rows.get(key)?.value;
    const row = this.rows.get(key);
    // The winner has not changed, at most replaced its object with an equal one.
    if (winner !== undefined && row !== undefined && this.members.indexOf(winner) < firstChanged)
      this.replaceSilently(row, found);
    else this.assign(key, found);
  }

  #checkOverlap(key: string, holders: number): void {
    if (holders < 2) {
      if (this.#overlaps.delete(key)) this.engine.violationStore.clear('join-overlap', this, key);
      return;
    }
    this.#overlaps.add(key);
    const message = `${holders} members of the unchecked join "${this.name}" hold "${key}"; join without unchecked, or keep their keys apart`;
    this.engine.report('join-overlap', this, [key], message);
  }

  // An unchecked join passes the changes of its members as they are.
  override announceRow(row: Row, old: unknown, now: unknown): void {
    if (!this.#unchecked) super.announceRow(row, old, now);
  }

  override items(): unknown[] {
    return this.#overlaps.size === 0 ? super.items() : this.replay().map(change => change.new);
  }

  override replay(): Change[] {
    if (this.#overlaps.size === 0) return super.replay();
    return this.#last ?? this.members.flatMap(member => (this.#live.has(member) ? member.replay() : []));
  }

  upstreams(): Iterable<CollectionCore> {
    return this.members;
  }

  protected withdraw(): void {
    if (this.#overlaps.size > 0) this.#last = this.replay();
    for (const member of this.members) this.unwatch(member);
  }
}

/** The union of collections; the first that holds a key wins. */
export function joinCollection<T>(
  collections: readonly Collection<T>[],
  options: Options<T> = {},
): Collection<T> {
  return new JoinView(collections.map(coreOf), options as Options<unknown>) as never;
}

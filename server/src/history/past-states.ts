// Past states: what existed after a batch. A single item is read from its own chain of changes, a whole collection by
// undoing the later batches. The last few results are cached.
import type {ChangeNode, RunNode} from './batch.ts';
import type {RecordedState} from './encoding/block-decoder.ts';
import type {IncrementalWork} from './incremental-work.ts';
import {isJournal} from './journal.ts';
import {outputsOf} from './latest-by-key.ts';
import type {Recording} from './recording.ts';

/** Moments whose key sets are cached: a page that scrubs asks for the same few. */
const MAX_MOMENTS = 8;

export class PastStates {
  readonly #recording: Recording;
  readonly #keys = new Map<string, ReadonlySet<string>>();
  readonly #sizes = new Map<number, ReadonlyMap<string, number>>();

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** The newest change of an item at or before a sequence. */
  change(collection: string, key: string, at = Infinity): ChangeNode | undefined {
    let node = this.#recording.latest(collection).changes.get(key);
    while (node !== undefined && node.sequence > at) node = node.prior;
    return node;
  }

  has(collection: string, key: string, at = Infinity): boolean {
    return this.#find(collection, key, at).there;
  }

  value(collection: string, key: string, at = Infinity): unknown {
    return this.#find(collection, key, at).value;
  }

  #find(collection: string, key: string, at: number): {there: boolean; value: unknown} {
    let node = this.#recording.latest(collection).changes.get(key);
    let later: ChangeNode | undefined;
    while (node !== undefined && node.sequence > at) {
      later = node;
      node = node.prior;
    }
    if (node !== undefined) return {there: !node.gone, value: node.gone ? undefined : node.published.new};
    // The earlier changes are no longer kept, but the first kept one has the value before it.
    if (later === undefined || later.published.event === 'add') return {there: false, value: undefined};
    return {there: true, value: later.published.old};
  }

  size(collection: string, at?: number): number {
    if (at === undefined || at >= this.#recording.newest) return this.#recording.latest(collection).size;
    return this.#sizesAt(at).get(collection) ?? 0;
  }

  *keys(collection: string, at?: number): Iterable<string> {
    if (at !== undefined && at < this.#recording.newest) {
      yield* this.#keysAt(collection, at);
      return;
    }
    for (const [key, node] of this.#recording.latest(collection).changes) if (!node.gone) yield key;
  }

  /** All values of all collections at a sequence, in new maps; in steps. */
  *state(at = this.#recording.newest): IncrementalWork<RecordedState> {
    const state: RecordedState = new Map();
    for (const {name} of [...this.#recording.allLatest()]) {
      const items = new Map<string, unknown>();
      state.set(name, items);
      // Copy the list: it may change between two steps.
      for (const key of [...this.keys(name, at)]) {
        items.set(key, this.value(name, key, at));
        yield;
      }
    }
    return state;
  }

  /** All current values of all collections, as lists that do not change later. */
  rows(): Map<string, [key: string, value: unknown][]> {
    const found = new Map<string, [string, unknown][]>();
    for (const {name, changes} of this.#recording.allLatest()) {
      const rows: [string, unknown][] = [];
      for (const [key, node] of changes) if (!node.gone) rows.push([key, node.published.new]);
      found.set(name, rows);
    }
    return found;
  }

  /** The newest run of a live or deleted input at or before a sequence. */
  run(collection: string, input: string, at = Infinity): RunNode | undefined {
    const ledger = this.#recording.latest(collection);
    let node = ledger.inputs.get(input) ?? ledger.gone.get(input);
    while (node !== undefined && node.sequence > at) node = node.prior;
    return node;
  }

  /** Output keys of an input at that time: those of its last accepted run. */
  outputs(collection: string, input: string, at: number): readonly string[] {
    const last = this.run(collection, input, at);
    return last === undefined ? [] : outputsOf(last);
  }

  /** What differs between two sequences, by collection; the values are those at either end. */
  diff(from: number, to: number): Map<string, {key: string; old?: unknown; new?: unknown}[]> {
    const touched = new Map<string, Set<string>>();
    for (const batch of this.#recording.batches(from + 1, to)) {
      for (const node of batch.changeNodes) {
        if (node === undefined) continue;
        const {collection, key} = node.published;
        if (isJournal(collection)) continue;
        const keys = touched.get(collection);
        if (keys === undefined) touched.set(collection, new Set([key]));
        else keys.add(key);
      }
    }
    const found = new Map<string, {key: string; old?: unknown; new?: unknown}[]>();
    for (const [collection, keys] of touched) {
      const rows: {key: string; old?: unknown; new?: unknown}[] = [];
      for (const key of keys) {
        const old = this.#find(collection, key, from);
        const now = this.#find(collection, key, to);
        if (old.value === now.value) continue;
        rows.push({key, ...(old.there ? {old: old.value} : {}), ...(now.there ? {new: now.value} : {})});
      }
      if (rows.length > 0) found.set(collection, rows);
    }
    return found;
  }

  #keysAt(collection: string, at: number): ReadonlySet<string> {
    const name = `${at} ${collection}`;
    const held = this.#keys.get(name);
    if (held !== undefined) return held;
    const keys = new Set<string>();
    for (const [key, node] of this.#recording.latest(collection).changes) if (!node.gone) keys.add(key);
    for (const batch of this.#recording.batchesAfter(at)) {
      for (let place = batch.changeNodes.length - 1; place >= 0; place--) {
        const change = batch.changeNodes[place]?.published;
        if (change?.collection !== collection) continue;
        if (change.event === 'add') keys.delete(change.key);
        else if (change.event === 'delete') keys.add(change.key);
      }
    }
    if (this.#keys.size >= MAX_MOMENTS * 24) this.#keys.delete(this.#keys.keys().next().value as string);
    this.#keys.set(name, keys);
    return keys;
  }

  #sizesAt(at: number): ReadonlyMap<string, number> {
    const held = this.#sizes.get(at);
    if (held !== undefined) return held;
    const sizes = new Map<string, number>();
    for (const {name, size} of this.#recording.allLatest()) sizes.set(name, size);
    for (const {grew} of this.#recording.batchesAfter(at))
      for (const [collection, by] of grew) sizes.set(collection, (sizes.get(collection) ?? 0) - by);
    if (this.#sizes.size >= MAX_MOMENTS) this.#sizes.delete(this.#sizes.keys().next().value as number);
    this.#sizes.set(at, sizes);
    return sizes;
  }
}

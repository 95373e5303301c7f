// Upstream's dependency state: per input key its fetches, and a reverse index over key and index filters only.
// Every accepted run deletes and re-inserts all of its input's entries, as upstream does.
import {type Labels, selects} from '../../support/workload-objects.ts';
import type {PortCollection, PortEvent, PortIndex} from './collection.ts';

export interface PortFilter {
  readonly key?: string;
  readonly index?: PortIndex<unknown>;
  readonly indexKey?: string;
  readonly labels?: Labels;
  readonly selectsNonEmpty?: Labels;
}

export interface PortDependency {
  readonly source: PortCollection<unknown>;
  readonly filter: PortFilter;
}

type Buckets = Map<string, Set<string>>;

interface BySource {
  readonly byKey: Buckets;
  readonly byIndex: Buckets;
  readonly indexes: Set<PortIndex<unknown>>;
  scan: boolean;
}

export function matches(
  filter: PortFilter,
  source: PortCollection<unknown>,
  item: unknown,
  indexed: boolean,
): boolean {
  if (!indexed) {
    if (filter.key !== undefined && source.keyOf(item) !== filter.key) return false;
    if (filter.index !== undefined && !filter.index.extract(item).includes(filter.indexKey!)) return false;
  }
  if (filter.labels !== undefined) {
    const labels = source.labelsOf(item);
    for (const k in filter.labels) if (labels[k] !== filter.labels[k]) return false;
  }
  if (filter.selectsNonEmpty !== undefined && !selects(source.selectorOf(item), filter.selectsNonEmpty))
    return false;
  return true;
}

export class DependencyState {
  readonly #byInput = new Map<string, readonly PortDependency[]>();
  readonly #bySource = new Map<number, BySource>();

  update(inputKey: string, dependencies: readonly PortDependency[]): void {
    this.delete(inputKey);
    this.#byInput.set(inputKey, dependencies);
    for (const {source, filter} of dependencies) {
      const state = this.#of(source);
      if (filter.key !== undefined) insert(state.byKey, filter.key, inputKey);
      else if (filter.index !== undefined) {
        state.indexes.add(filter.index);
        insert(state.byIndex, filter.indexKey!, inputKey);
      } else state.scan = true;
    }
  }

  delete(inputKey: string): void {
    const old = this.#byInput.get(inputKey);
    if (old === undefined) return;
    this.#byInput.delete(inputKey);
    for (const {source, filter} of old) {
      const state = this.#of(source);
      if (filter.key !== undefined) remove(state.byKey, filter.key, inputKey);
      else if (filter.index !== undefined) remove(state.byIndex, filter.indexKey!, inputKey);
    }
  }

  changedInputs(source: PortCollection<unknown>, events: readonly PortEvent<unknown>[]): Set<string> {
    const changed = new Set<string>();
    const state = this.#bySource.get(source.uid);
    if (state === undefined) return changed;
    for (const event of events) {
      if (state.scan) {
        for (const inputKey of this.#byInput.keys()) this.#confirm(inputKey, source, event, false, changed);
        continue;
      }
      for (const item of [event.old, event.new]) {
        if (item === undefined) continue;
        this.#candidates(state.byKey.get(source.keyOf(item)), source, event, changed);
        for (const index of state.indexes) {
          for (const k of index.extract(item)) this.#candidates(state.byIndex.get(k), source, event, changed);
        }
      }
    }
    return changed;
  }

  #candidates(
    bucket: ReadonlySet<string> | undefined,
    source: PortCollection<unknown>,
    event: PortEvent<unknown>,
    changed: Set<string>,
  ): void {
    if (bucket === undefined) return;
    for (const inputKey of bucket) this.#confirm(inputKey, source, event, true, changed);
  }

  #confirm(
    inputKey: string,
    source: PortCollection<unknown>,
    event: PortEvent<unknown>,
    indexed: boolean,
    changed: Set<string>,
  ): void {
    if (changed.has(inputKey)) return;
    for (const dependency of this.#byInput.get(inputKey) ?? []) {
      if (dependency.source !== source) continue;
      if (
        (event.old !== undefined && matches(dependency.filter, source, event.old, indexed)) ||
        (event.new !== undefined && matches(dependency.filter, source, event.new, indexed))
      ) {
        changed.add(inputKey);
        return;
      }
    }
  }

  #of(source: PortCollection<unknown>): BySource {
    let state = this.#bySource.get(source.uid);
    if (state === undefined) {
      state = {byKey: new Map(), byIndex: new Map(), indexes: new Set(), scan: false};
      this.#bySource.set(source.uid, state);
    }
    return state;
  }
}

function insert(buckets: Buckets, key: string, inputKey: string): void {
  const bucket = buckets.get(key);
  if (bucket === undefined) buckets.set(key, new Set([inputKey]));
  else bucket.add(inputKey);
}

function remove(buckets: Buckets, key: string, inputKey: string): void {
  const bucket = buckets.get(key);
  if (bucket === undefined) return;
  bucket.delete(inputKey);
  if (bucket.size === 0) buckets.delete(key);
}

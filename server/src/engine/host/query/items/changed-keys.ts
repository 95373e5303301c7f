import type {Records} from '../../../../explain/records.ts';

/**
 * The keys by collection that changed from one batch to another, both included. A sliced answer must read them again.
 */
export function changedKeysBetween(records: Records, from: number, to: number): Map<string, Set<string>> {
  const changed = new Map<string, Set<string>>();
  for (let sequence = from; sequence <= to; sequence++) {
    const batch = records.batch(sequence);
    for (let place = 0; batch !== undefined && place < batch.changeCount; place++) {
      const {collection, key} = batch.change(place);
      const keys = changed.get(collection);
      if (keys === undefined) changed.set(collection, new Set([key]));
      else keys.add(key);
    }
  }
  return changed;
}

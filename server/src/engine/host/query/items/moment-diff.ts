// The net changes between two retained moments. An item that was added and removed in between is left out.
import type {Diff} from '@krtscope/shared/items.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {type Records, Unanswerable} from '../../../../explain/records.ts';
import {isJournal} from '../../../../history/journal.ts';
import {momentOf} from './item.ts';

/** One step reads one change: a first list has a hundred thousand. */
export function* diffSteps(records: Records, from: number, to: number): Generator<undefined, Diff> {
  if (from > to) {
    throw new Unanswerable('bad-query', `from=${from} is after to=${to}`, 'give the older sequence as from');
  }
  momentOf(records, from);
  momentOf(records, to);
  /** The oldest `old` and the newest `new` of every item that changed in between. */
  const touched = new Map<string, Map<string, {old: unknown; new: unknown}>>();
  for (let sequence = from + 1; sequence <= to; sequence++) {
    const batch = records.batch(sequence);
    if (!batch) continue;
    for (let place = 0; place < batch.changeCount; place++) {
      yield;
      const change = batch.change(place);
      if (isJournal(change.collection)) continue;
      const items = touched.get(change.collection) ?? new Map();
      const net = items.get(change.key);
      if (net) net.new = change.new;
      else items.set(change.key, {old: change.old, new: change.new});
      touched.set(change.collection, items);
    }
  }
  // The recording has continued and may have dropped batches that were not read yet.
  momentOf(records, from);
  const collections: Diff['collections'] = {};
  for (const [name, items] of touched) {
    const list = [...items]
      .filter(([, {old, new: now}]) => !deepEqual(old, now))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, {old, new: now}]) => ({
        key,
        old,
        new: now,
      }));
    if (list.length > 0) collections[name] = list;
  }
  return {from, to, collections};
}

/** Makes the difference without pauses. */
export function diffAnswer(records: Records, from: number, to: number): Diff {
  const steps = diffSteps(records, from, to);
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}

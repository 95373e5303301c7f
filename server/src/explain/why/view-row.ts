// The row of a join, a map or an index with another value of one of its parts.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {factsAt} from '../evidence/graph-at.ts';
import type {RecordedChange} from '../records.ts';

/** The row of a view with another value of one part; undefined if unknown. */
export function viewRowWith(
  {records}: RerunReader,
  change: RecordedChange,
  part: RecordedChange,
  value: unknown,
): {readonly value: unknown} | undefined {
  const {formulas} = records;
  const facts = factsAt(records, change.collection, change.sequence);
  if (facts?.kind === 'index') {
    const row = (change.new ?? change.old) as {objects?: readonly unknown[]} | undefined;
    if (row?.objects === undefined) return undefined;
    const now = change.new === undefined ? [] : row.objects;
    const others = now.filter(one => !deepEqual(one, part.new));
    const groups = value === undefined ? [] : formulas?.groups(change.collection, value);
    const objects = groups?.includes(change.key) ? [...others, value] : others;
    return {value: objects.length === 0 ? undefined : {...row, objects}};
  }
  // A row of a formula that went with its input would be there as it was.
  if (facts?.kind !== 'join' && facts?.kind !== 'map')
    return {value: value === undefined ? change.new : change.old};
  const items = (facts?.parents ?? []).flatMap(parent => {
    const own = parent === part.collection ? value : records.value(parent, change.key, change.sequence);
    return own === undefined ? [] : [own];
  });
  if (items.length === 0) return {value: undefined};
  const made = formulas?.view(change.collection, items, change.sequence);
  if (made?.error !== undefined) return undefined;
  return {value: made === undefined ? items[0] : made.item};
}

// Differences between two moments: added, removed and changed rows, by collection, down to the field. Pure.
import type {Diff} from '@krtscope/shared/items.ts';
import {listLeaves, writePath} from '@krtscope/shared/path.ts';
import type {PathChange} from '@krtscope/shared/why.ts';

export type DifferenceKind = 'added' | 'removed' | 'changed';

export interface ItemDifference {
  collection: string;
  key: string;
  kind: DifferenceKind;
  before: unknown;
  after: unknown;
}

export interface CollectionDifferences {
  name: string;
  differences: ItemDifference[];
  counts: Record<DifferenceKind, number>;
}

/** Differences as seen from the moment on screen: its rows stand, and the other moment gives the other values. */
export function differencesOf(diff: Diff, shown: number): CollectionDifferences[] {
  const forward = diff.from === shown;
  return Object.entries(diff.collections)
    .map(([name, rows]) => {
      const differences = rows.map(({key, old, new: later}): ItemDifference => {
        const [before, after] = forward ? [old, later] : [later, old];
        const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
        return {collection: name, key, kind, before, after};
      });
      const counts = {added: 0, removed: 0, changed: 0};
      for (const one of differences) counts[one.kind]++;
      return {name, differences, counts};
    })
    .filter(one => one.differences.length > 0);
}

export function countDifferences(all: readonly CollectionDifferences[]): Record<DifferenceKind, number> {
  const sum = {added: 0, removed: 0, changed: 0};
  for (const {counts} of all)
    for (const kind of ['added', 'removed', 'changed'] as const) sum[kind] += counts[kind];
  return sum;
}

/** Every write changes these fields, so they always differ. */
const serverManagedFields = /^metadata\.(managedFields|resourceVersion|generation)\b/;

/** The fields that differ, important ones first. Bookkeeping fields count only if no other field differs. */
export function fieldChanges(difference: Pick<ItemDifference, 'before' | 'after'>): PathChange[] {
  const before = fieldsOf(difference.before);
  const after = fieldsOf(difference.after);
  const changes = [...new Set([...before.keys(), ...after.keys()])]
    .filter(path => JSON.stringify(before.get(path)) !== JSON.stringify(after.get(path)))
    .map((path): PathChange => ({path, old: before.get(path), new: after.get(path)}));
  const telling = changes.filter(change => !serverManagedFields.test(change.path));
  return telling.length > 0 ? telling : changes;
}

function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map(listLeaves(value).map(leaf => [writePath(leaf.path), leaf.value]));
}

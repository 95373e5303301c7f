// The rows that differ between two documents.
import {isDeepStrictEqual} from 'node:util';
import type {ChangeEventType} from '@krtscope/shared/vocabulary.ts';
import type {KrtzStructure, RowRef} from './krtz-structure.ts';

export interface DocumentChange extends RowRef {
  event: ChangeEventType;
}

export function documentChanges(before: KrtzStructure, after: KrtzStructure): DocumentChange[] {
  const changes: DocumentChange[] = [];
  for (const {name} of before.collections) {
    const now = after.rows(name);
    for (const key of before.rows(name).keys())
      if (!now.has(key)) changes.push({collection: name, key, event: 'delete'});
  }
  for (const {name} of after.collections) {
    const old = before.rows(name);
    for (const [key, value] of after.rows(name)) {
      if (!old.has(key)) changes.push({collection: name, key, event: 'add'});
      else if (!isDeepStrictEqual(old.get(key), value))
        changes.push({collection: name, key, event: 'update'});
    }
  }
  return changes;
}

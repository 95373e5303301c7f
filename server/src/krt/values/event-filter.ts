// A batch handler that hears only of what it looks at.

import type {Change} from './change.ts';
import type {BatchHandler} from './collection.ts';
import {equal} from './equality.ts';
import {refusePromise} from './thenable.ts';

/** Drops updates whose projections are equal; adds and deletes pass; nothing left is no call. */
export function batchedEventFilter<T, P>(project: (item: T) => P, handler: BatchHandler<T>): BatchHandler<T> {
  const part = (item: T) => refusePromise(project(item), 'the projection of batchedEventFilter');
  const matters = (change: Change<T>) => {
    if (change.event !== 'update') return true;
    try {
      return !equal(part(change.old as T), part(change.new as T));
    } catch {
      // The handler hears of it: the other changes of the batch must not be lost with this one.
      return true;
    }
  };
  return changes => {
    const left = changes.filter(matters);
    return left.length === 0 ? undefined : handler(left);
  };
}

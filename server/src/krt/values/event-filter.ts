// A batch handler that ignores updates outside the part that it uses.

import type {Change} from './change.ts';
import type {BatchHandler} from './collection.ts';
import {equal} from './equality.ts';
import {refusePromise} from './thenable.ts';

/**
 * Drops updates whose projections are equal. Adds and deletes pass. Without any change left the handler is
 * not called.
 */
export function batchedEventFilter<T, P>(project: (item: T) => P, handler: BatchHandler<T>): BatchHandler<T> {
  const part = (item: T) => refusePromise(project(item), 'the projection of batchedEventFilter');
  const matters = (change: Change<T>) => {
    if (change.event !== 'update') return true;
    try {
      return !equal(part(change.old as T), part(change.new as T));
    } catch {
      // Pass the change on, so that the other changes of the batch are not lost.
      return true;
    }
  };
  return changes => {
    const left = changes.filter(matters);
    return left.length === 0 ? undefined : handler(left);
  };
}

// A krt collection as an event source of a controller. The file does not import krt: any collection has this shape.

import type {ObjectKey} from '../scheme/kind.ts';
import {rawSource, type Source} from './event-source.ts';
import {requestOf} from './request.ts';

/** The part of a collection that the source uses. */
export interface Rows<T = unknown> {
  readonly name: string;
  getKey(key: string): T | undefined;
  list(): T[];
  waitUntilSynced(stop?: AbortSignal): Promise<boolean>;
  /** The first call has all rows. Later calls have the changes of one batch. */
  registerBatch(handler: (changes: RowChange<T>[]) => void): {unregisterHandler(): void};
}

export interface RowChange<T> {
  readonly key: string;
  readonly old?: T;
  readonly new?: T;
}

/**
 * Sends every change of a collection's rows. Requests are the rows' keys, or the results of `map` for the old and
 * the new row. The controller's workers wait until the collection has synced.
 */
export function collectionSource<T>(
  collection: Rows<T>,
  map?: (row: T, key: string) => readonly ObjectKey[],
): Source {
  return rawSource(`collection ${collection.name}`, async (enqueue, signal) => {
    if (!(await collection.waitUntilSynced(signal)) || signal.aborted) return;
    const registration = collection.registerBatch(changes => {
      for (const {key, old, new: now} of changes) {
        if (!map) enqueue(requestOf(key));
        else
          for (const row of [old, now])
            if (row !== undefined) for (const request of map(row, key)) enqueue(request);
      }
    });
    signal.addEventListener('abort', () => registration.unregisterHandler(), {once: true});
  });
}

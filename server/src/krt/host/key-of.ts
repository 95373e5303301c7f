// The key of an item, for callers that look for its row.

import {coreOf} from '../graph/core-of.ts';
import type {Collection} from '../values/collection.ts';
import {requireKey} from '../values/key.ts';

/**
 * The key that `collection` uses for the item, by its `key` option. Without a collection, the own key of the
 * item. Throws `key-missing` if it has none.
 */
export function keyOf(item: unknown, collection?: Collection<unknown>): string {
  return collection === undefined ? requireKey(item, 'keyOf') : coreOf(collection).keyOf(item);
}

// The key that an item has, for those who hold an item and look for its row.

import {coreOf} from '../graph/core-of.ts';
import type {Collection} from '../values/collection.ts';
import {requireKey} from '../values/key.ts';

/**
 * The item's key as `collection` files it, with its `key` option; without a collection the item's own. Throws
 * `key-missing` if it has none.
 */
export function keyOf(item: unknown, collection?: Collection<unknown>): string {
  return collection === undefined ? requireKey(item, 'keyOf') : coreOf(collection).keyOf(item);
}

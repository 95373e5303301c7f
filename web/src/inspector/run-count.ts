import type {ItemDetail} from '@krtscope/shared/items.ts';

/** All runs of an item. For a deleted item it is the number of recorded runs. */
export function runCount({runs, strip, beyond}: Pick<ItemDetail, 'runs' | 'strip' | 'beyond'>): number {
  return Math.max(runs, strip.length + beyond.before + beyond.after);
}

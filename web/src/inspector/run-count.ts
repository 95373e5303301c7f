// How often an item has run, as the Inspector counts it.
import type {ItemDetail} from '@krtscope/shared/items.ts';

/** All its runs; of an item that is gone those that are kept, which are drawn below: it never ran would be wrong. */
export function runCount({runs, strip, beyond}: Pick<ItemDetail, 'runs' | 'strip' | 'beyond'>): number {
  return Math.max(runs, strip.length + beyond.before + beyond.after);
}

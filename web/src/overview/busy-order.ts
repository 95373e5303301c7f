// Orders of the busiest table. Pure.
import type {Busy} from '@krtscope/shared/timeline.ts';

export type BusyOrder = 'runs' | 'time' | 'equal';

/** How many of a hundred runs changed nothing. */
export function equalShare(row: Busy): number {
  return row.runs === 0 ? 0 : Math.round((row.equal / row.runs) * 100);
}

export function sortByOrder(rows: Busy[], order: BusyOrder): Busy[] {
  const weight = {
    runs: (row: Busy) => row.runs,
    time: (row: Busy) => row.runs * row.milliseconds,
    equal: (row: Busy) => row.equal,
  }[order];
  return [...rows].sort((a, b) => weight(b) - weight(a) || a.collection.localeCompare(b.collection));
}

// Sort orders of the busiest table. Pure.
import type {BusyCollection} from '@krtscope/shared/timeline.ts';

export type BusyOrder = 'runs' | 'time' | 'equal';

/** The percentage of runs that changed nothing. */
export function equalShare(row: BusyCollection): number {
  return row.runs === 0 ? 0 : Math.round((row.equal / row.runs) * 100);
}

export function sortByOrder(rows: BusyCollection[], order: BusyOrder): BusyCollection[] {
  const weight = {
    runs: (row: BusyCollection) => row.runs,
    time: (row: BusyCollection) => row.runs * row.milliseconds,
    equal: (row: BusyCollection) => row.equal,
  }[order];
  return [...rows].sort((a, b) => weight(b) - weight(a) || a.collection.localeCompare(b.collection));
}

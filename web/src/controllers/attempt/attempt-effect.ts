// What an attempt did to the cluster: wrote, met a conflict, or changed nothing. Pure.
import type {Attempt} from '@krtscope/shared/controllers.ts';
import {isConflict} from '@krtscope/shared/programs/write-conflict.ts';
import {isFailure} from './attempt-timing.ts';
import {changesSomething} from './write-change.ts';

export const attemptFilters = ['All', 'Wrote', 'No change', 'Conflict', 'Failed'] as const;
export type AttemptFilter = (typeof attemptFilters)[number];

function effectiveWrites({writes}: Pick<Attempt, 'writes'>): number {
  return writes.filter(changesSomething).length;
}

/** `wrote 2`, `conflict`, `no change`; empty while the attempt runs. */
export function effectText(attempt: Pick<Attempt, 'writes' | 'error' | 'result'>): string {
  if (attempt.result === undefined) return '';
  const wrote = effectiveWrites(attempt);
  if (wrote > 0) return `wrote ${wrote}`;
  return hasConflict(attempt) ? 'conflict' : 'no change';
}

function hasConflict({error, writes}: Pick<Attempt, 'writes' | 'error'>): boolean {
  return [error, ...writes.map(write => write.error)].some(isConflict);
}

export function matchesFilter(attempt: Attempt, filter: AttemptFilter): boolean {
  if (filter === 'Failed') return isFailure(attempt.result);
  if (filter === 'Conflict') return hasConflict(attempt);
  if (filter === 'Wrote') return effectiveWrites(attempt) > 0;
  return filter === 'All' || (attempt.result !== undefined && effectiveWrites(attempt) === 0);
}

// What an attempt did to the cluster: wrote, met a conflict, or changed nothing. Pure.
import type {Attempt} from '@krtscope/shared/controllers.ts';
import {fieldChanges} from '../compare/differences.ts';
import {isFailure} from './attempt-timing.ts';

export const attemptFilters = ['All', 'Wrote', 'No change', 'Failed'] as const;
export type AttemptFilter = (typeof attemptFilters)[number];

function changesSomething(write: Attempt['writes'][number]): boolean {
  if (write.dryRun || write.error !== undefined) return false;
  if (write.before === undefined || write.after === undefined) return true;
  return fieldChanges({before: write.before, after: write.after}).length > 0;
}

export function effectiveWrites({writes}: Pick<Attempt, 'writes'>): number {
  return writes.filter(changesSomething).length;
}

/** `wrote 2`, `conflict`, `no change`; empty while the attempt runs. */
export function effectText(attempt: Pick<Attempt, 'writes' | 'error' | 'result'>): string {
  if (attempt.result === undefined) return '';
  const wrote = effectiveWrites(attempt);
  if (wrote > 0) return `wrote ${wrote}`;
  const errors = [attempt.error, ...attempt.writes.map(write => write.error)];
  return errors.some(text => /conflict|has been modified/i.test(text ?? '')) ? 'conflict' : 'no change';
}

export function matchesFilter(attempt: Attempt, filter: AttemptFilter): boolean {
  if (filter === 'Failed') return isFailure(attempt.result);
  if (filter === 'Wrote') return effectiveWrites(attempt) > 0;
  return filter === 'All' || (attempt.result !== undefined && effectiveWrites(attempt) === 0);
}

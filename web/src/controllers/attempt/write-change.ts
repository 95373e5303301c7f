// Whether a write changed its object. Pure.
import type {Attempt} from '@krtscope/shared/controllers.ts';
import {fieldChanges} from '../../compare/differences.ts';

/** False for a dry run, a failed write, and a write after which the object is the same. */
export function changesSomething(write: Attempt['writes'][number]): boolean {
  if (write.dryRun || write.error !== undefined) return false;
  if (write.before === undefined || write.after === undefined) return true;
  return fieldChanges({before: write.before, after: write.after}).length > 0;
}

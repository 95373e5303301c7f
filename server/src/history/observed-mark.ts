// Marks a change or a run that a program reported without its cause. The mark survives blocks and files.
import type {Published, Run} from '../krt/index.ts';

interface ObservedMark {
  observed?: true;
}

/** Marks of a cause: it was inferred from a log, and whether it is one of several possible ones. */
export interface CauseMarks {
  inferred?: true;
  possible?: true;
}

export function isObserved(one: Published | Run): boolean {
  return (one as ObservedMark).observed === true;
}

export function markObserved<T extends Published | Run>(one: T): T {
  (one as ObservedMark).observed = true;
  return one;
}

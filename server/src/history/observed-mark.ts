// Marks a change or a run that a program reported without its cause. The mark survives blocks and files.
import type {Published, Run} from '../krt/index.ts';

interface ObservedMark {
  observed?: true;
}

export function isObserved(one: Published | Run): boolean {
  return (one as ObservedMark).observed === true;
}

export function markObserved<T extends Published | Run>(one: T): T {
  (one as ObservedMark).observed = true;
  return one;
}

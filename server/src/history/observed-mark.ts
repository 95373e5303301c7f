// The mark of a change or a run that was only seen, not told: somebody else's program did it while nobody listened, or
// does not say why. It stays with what it marks, through blocks and files.
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

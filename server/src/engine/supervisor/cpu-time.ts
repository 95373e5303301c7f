// How much a process has worked, which is not how much time has passed: on a busy machine a child may wait for its turn.
import {readFileSync} from 'node:fs';

/** Of Linux's books: how often a second its clock of processes ticks. */
const CLOCK_TICKS_PER_SECOND = 100;

/** Milliseconds that a process has had of the processors; undefined where there are no such books. */
export function cpuTimeOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, user, system] =
      /^\S+ (?:\S+ ){10}(\d+) (\d+) /.exec(stat.slice(stat.lastIndexOf(')') + 2)) ?? [];
    return user === undefined ? undefined : ((Number(user) + Number(system)) * 1000) / CLOCK_TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

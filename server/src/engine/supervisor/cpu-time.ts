// The CPU time of a process. On a busy machine it differs from elapsed time, because a child waits for its turn.
import {readFileSync} from 'node:fs';

/** The unit of CPU time in Linux's /proc. */
const CLOCK_TICKS_PER_SECOND = 100;

/** CPU time of a process in milliseconds; undefined without /proc. */
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

// Reports each problem once in ten minutes: a server that keeps sending the same bad object would fill the log.
import type {Clock} from '../clock.ts';

const quietFor = 600_000;
const maxRemembered = 1000;

export function withoutRepeats(
  report: ((problem: string) => void) | undefined,
  clock: Pick<Clock, 'now'>,
): (problem: string) => void {
  const reportedAt = new Map<string, number>();
  return problem => {
    const now = clock.now();
    if (now - (reportedAt.get(problem) ?? Number.NEGATIVE_INFINITY) < quietFor) return;
    if (reportedAt.size >= maxRemembered) reportedAt.clear();
    reportedAt.set(problem, now);
    report?.(problem);
  };
}

// Which runs the costly checks repeat.

const SAMPLE_INTERVAL = 4096;

/** The number of the next run to repeat: early runs at growing distances, later one in 4096. */
export function nextSample(checks: 'off' | 'sample' | 'all', run: number): number {
  if (checks === 'off') return -1;
  if (checks === 'all' || run === 0) return run + 1;
  return run < SAMPLE_INTERVAL ? run * 2 : run + SAMPLE_INTERVAL;
}

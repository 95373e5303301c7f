/**
 * CPU milliseconds of this process, all threads together. Unlike wall time, they do not grow on a busy
 * machine.
 */
export function usedCpuTime(): number {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds that the machine worked for this process, all threads together: a busy machine is slow, not wrong. */
export function usedCpuTime(): number {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
}

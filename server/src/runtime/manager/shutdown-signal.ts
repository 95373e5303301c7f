// How a program is asked to end.

/**
 * Aborts at the first SIGINT or SIGTERM. At the second the process exits at once with 1: somebody is in a hurry.
 * For the program's whole life: call it once.
 */
export function shutdownSignal(): AbortSignal {
  const stop = new AbortController();
  const hear = (signal: NodeJS.Signals) => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort(new Error(`${signal} was received`));
  };
  process.on('SIGINT', hear);
  process.on('SIGTERM', hear);
  return stop.signal;
}

// The signal for a graceful shutdown.

/**
 * Aborts at the first SIGINT or SIGTERM. The second one exits the process at once with code 1.
 * The handlers stay installed, so call it once.
 */
export function shutdownSignal(): AbortSignal {
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort(new Error(`${signal} was received`));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return stop.signal;
}

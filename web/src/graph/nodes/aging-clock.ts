// A clock for ages: it ticks every second in the first minute, then every minute, then every hour.
// 500 nodes that render every second would keep the page busy.
import {useCallback, useEffect, useState} from 'react';
import {serverNow} from '../../stream/server-connection.ts';

/** The current time, rounded so that it changes only when the text of the age changes. */
export function agingNow(at: number, now: number): number {
  const age = Math.max(0, now - at);
  const step = age < 60_000 ? 1_000 : age < 3_600_000 ? 60_000 : 3_600_000;
  return at + Math.floor(age / step) * step;
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const one of listeners) one();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time for the age of `at`. Without `at` it never changes. */
export function useAgingNow(at: number | undefined): number {
  const read = useCallback(() => (at === undefined ? 0 : agingNow(at, serverNow())), [at]);
  const [now, setNow] = useState(read);
  useEffect(() => {
    setNow(read());
    return at === undefined ? undefined : listen(() => setNow(read()));
  }, [at, read]);
  return now;
}

// A clock that ticks as coarsely as an age is told: every second in the first minute, then every minute, then every hour.
// 500 nodes that all listened to the second would keep the page busy with words that do not change.
import {useCallback, useEffect, useState} from 'react';
import {serverNow} from '../../stream/server-connection.ts';

/** The moment up to which an age is told: it moves on only when the words for the age do. */
export function agingNow(at: number, now: number): number {
  const age = Math.max(0, now - at);
  const step = age < 60_000 ? 1_000 : age < 3_600_000 ? 60_000 : 3_600_000;
  return at + Math.floor(age / step) * step;
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function listen(tell: () => void): () => void {
  listeners.add(tell);
  timer ??= setInterval(() => {
    for (const one of listeners) one();
  }, 1000);
  return () => {
    listeners.delete(tell);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Now, for telling the age of `at`; nothing to tell, nothing ticks. */
export function useAgingNow(at: number | undefined): number {
  const read = useCallback(() => (at === undefined ? 0 : agingNow(at, serverNow())), [at]);
  const [now, setNow] = useState(read);
  useEffect(() => {
    setNow(read());
    return at === undefined ? undefined : listen(() => setNow(read()));
  }, [at, read]);
  return now;
}

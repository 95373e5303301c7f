// The server's current time, updated as often as a countdown needs. At a past moment it stands still.
import {useEffect, useState} from 'react';
import {useMomentClock} from '../stream/moment-clock.ts';
import {serverNow} from '../stream/server-connection.ts';

export function useTickingNow(every: number): number {
  const past = useMomentClock(state => state.at);
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (past !== null) return;
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), every);
    return () => clearInterval(timer);
  }, [past, every]);
  return past ?? now;
}

// Ages: relative, absolute on hover, on the server's clock or that of the moment on screen. One timer for the page.
import {useEffect} from 'react';
import {create} from 'zustand';
import {useMomentClock} from '../../stream/moment-clock.ts';
import {serverNow, useConnection} from '../../stream/server-connection.ts';

const useClock = create<{now: number}>()(() => ({now: Date.now()}));
let users = 0;
let timer: ReturnType<typeof setInterval> | null = null;

/** The time on screen: at a past moment, when that moment's batch settled. */
export function useNow(): number {
  const past = useMomentClock(state => state.at);
  const now = useServerNow();
  return past ?? now;
}

/** Now on the server's clock, updated once a second, at any moment. A recording's now is its last moment. */
export function useServerNow(): number {
  useEffect(() => {
    users++;
    timer ??= setInterval(() => useClock.setState({now: serverNow()}), 1000);
    return () => {
      if (--users > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    };
  }, []);
  const now = useClock(state => state.now);
  return useConnection(link => link.endOfRecording) ?? now;
}

/** An age: `4 s`, `12 min`, `3 h`, `2 d`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** A time: `12:04:27`, with milliseconds on request. */
export function clockText(at: number, exact = false): string {
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, '0');
  const text = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return exact ? `${text}.${String(date.getMilliseconds()).padStart(3, '0')}` : text;
}

export function Age({at, ago = false}: {at: number; ago?: boolean}) {
  const now = useNow();
  return (
    <time className="age" dateTime={new Date(at).toISOString()} title={clockText(at, true)}>
      {ageText(now - at)}
      {ago ? ' ago' : ''}
    </time>
  );
}

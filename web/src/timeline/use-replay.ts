// The Timeline's play button: moves the page's moment at 1, 4 or 16 times the original speed.
import {useEffect, useRef, useState} from 'react';
import {create} from 'zustand';
import {useApp} from '../store/app.ts';
import {goLive, goTo, pause} from '../store/navigation.ts';
import {useMomentClock} from '../stream/moment-clock.ts';
import {serverNow, useConnection} from '../stream/server-connection.ts';
import {useSubscription} from '../stream/use-subscription.ts';
import {type ReplaySpeed, replayPositionAt} from './replay-position.ts';

export const useReplay = create<{playing: boolean; speed: ReplaySpeed}>()(() => ({playing: false, speed: 1}));

const tickMs = 80;
/** Seconds of replay to load at once, and the number of buckets. */
const stretchSeconds = 30;
const stretchBuckets = 1000;

function stopReplay(): void {
  useReplay.setState({playing: false});
}

/** Space and the play button: pause live, play from a past moment, or stop playing. */
export function toggleReplay(): void {
  if (useApp.getState().route.moment === null) return pause();
  useReplay.setState(state => ({playing: !state.playing}));
}

export function setSpeed(speed: ReplaySpeed): void {
  useReplay.setState({speed});
}

/** Mounted once, by the Timeline. */
export function useReplayTimer(): void {
  const playing = useReplay(state => state.playing);
  const speed = useReplay(state => state.speed);
  const [from, setFrom] = useState<number | null>(null);
  const to = from === null ? 0 : from + stretchSeconds * 1000 * speed;
  const subscription = useSubscription(
    playing && from !== null ? {ask: 'timeline', from, to, buckets: stretchBuckets} : null,
  );
  const span = useRef(subscription.answer);
  useEffect(() => {
    span.current = subscription.answer;
  }, [subscription.answer]);
  useEffect(() => {
    if (!playing) return;
    let at = useMomentClock.getState().at ?? serverNow();
    let mine = useApp.getState().route.moment;
    let last = performance.now();
    setFrom(Math.floor(at));
    const timer = setInterval(() => {
      const now = performance.now();
      const passed = now - last;
      last = now;
      const {moment} = useApp.getState().route;
      // Stop playing when the user picks a moment.
      if (moment === null || moment !== mine) return stopReplay();
      const line = span.current;
      if (line === undefined || at < line.from || at > line.to) return;
      const played = replayPositionAt(line, at + passed * speed, speed);
      at = played.at;
      if (moment >= useConnection.getState().sequence || at >= serverNow()) {
        stopReplay();
        return goLive();
      }
      if (played.over || at >= line.to) {
        at = Math.max(at, line.to);
        setFrom(Math.floor(at));
      }
      if (played.sequence <= moment) return;
      mine = played.sequence;
      goTo(mine);
    }, tickMs);
    return () => clearInterval(timer);
  }, [playing, speed]);
}
